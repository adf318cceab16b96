! The solution of u'' = f on a line by Jacobi's iteration: OpenMP's threads join a team as its nodes.
!
!   each sweep:  sendrecv ghost points with both neighbours; a sweep over the own points
!                all_reduce of the squared change
program fortran_openmp_jacobi
  use vnode
  use omp_lib
  implicit none
  integer, parameter :: sweeps = 200
  integer :: nodes, points, i, failed
  real(c_double), allocatable :: found(:), u(:), v(:)
  real(c_double) :: change, expected
  type(c_ptr) :: team = c_null_ptr
  type(vnode_team_options_t) :: options

  nodes = argument(1, 4)
  points = argument(2, 1000)
  if (points < nodes) then
    print '(a, i0)', 'SIZE must be at least ', nodes
    stop 2
  end if
  options%size = c_sizeof(options)
  options%threads = VNODE_THREADS_CALLERS
  if (vnode_team_create(team, nodes, 'array' // c_null_char, options) /= VNODE_OK) call give_up(vnode_sentence())
  allocate (found(points))
  call omp_set_dynamic(.false.)
  failed = 0
  change = 0
  !$omp parallel num_threads(nodes) reduction(max: failed, change)
  call iterate(omp_get_thread_num(), change, failed)
  !$omp end parallel
  if (vnode_team_free(team) /= VNODE_OK) call give_up(vnode_sentence())
  if (failed /= 0) stop 2

  ! The same by one thread.
  allocate (u(0:points + 1), v(0:points + 1))
  u = 0
  v = 0
  do i = 1, sweeps
    call sweep(u, v, points, 1)
    expected = sum((v(1:points) - u(1:points))**2)
    u(1:points) = v(1:points)
  end do
  print '(a, i0, a, es12.5)', 'after ', sweeps, ' sweeps the squared change is ', change
  if (any(abs(found - u(1:points)) > 0) .or. abs(change - expected) > 1e-9_c_double * expected) then
    print '(a)', 'the answer is WRONG'
    stop 1
  end if
  print '(a)', 'the answer is right'

contains

  ! What a thread does as a node.
  subroutine iterate(rank, last_change, code_of_failure)
    integer, intent(in) :: rank
    real(c_double), intent(inout) :: last_change
    integer, intent(inout) :: code_of_failure
    real(c_double), allocatable, target :: x(:), y(:)
    real(c_double), target :: square
    type(c_ptr) :: membership, me
    integer(c_int) :: code
    integer :: first, last, own, step
    membership = c_null_ptr
    me = c_null_ptr
    first = points * rank / nodes + 1
    last = points * (rank + 1) / nodes
    own = last - first + 1
    allocate (x(0:own + 1), y(0:own + 1))
    x = 0
    y = 0
    code = vnode_team_join(team, rank, membership, me)
    do step = 1, sweeps
      if (code == VNODE_OK) code = exchange(me, rank, x, own)
      if (code /= VNODE_OK) exit
      call sweep(x, y, own, first)
      square = sum((y(1:own) - x(1:own))**2)
      x(1:own) = y(1:own)
      code = vnode_all_reduce(me, c_loc(square), c_loc(square), 1_c_size_t, VNODE_F64, VNODE_SUM)
    end do
    if (code == VNODE_OK) then
      last_change = square
      found(first:last) = x(1:own)
      code = vnode_membership_leave(membership)
    end if
    if (code == VNODE_OK) return
    !$omp critical
    print '(a, i0, 2a)', 'node ', rank, ': ', vnode_sentence()
    !$omp end critical
    code_of_failure = 1
    code = vnode_membership_abort(membership)
  end subroutine

  ! Ghost points x(0) and x(own + 1) from both neighbours, which get the edges.
  function exchange(me, rank, x, own) result(code)
    type(c_ptr), intent(in) :: me
    integer, intent(in) :: rank, own
    real(c_double), target, intent(inout) :: x(0:own + 1)
    integer(c_int) :: code
    integer :: phase, peer, edge, ghost
    code = VNODE_OK
    ! Pairs (0 1)(2 3) first, then (1 2)(3 4).
    do phase = 0, 1
      if (mod(rank + phase, 2) == 0) then
        peer = rank + 1
        edge = own
        ghost = own + 1
      else
        peer = rank - 1
        edge = 1
        ghost = 0
      end if
      if (peer < 0 .or. peer >= nodes) cycle
      code = vnode_sendrecv(me, c_loc(x(edge)), 1_c_size_t, peer, c_loc(x(ghost)), 1_c_size_t, peer, VNODE_F64, 0)
      if (code /= VNODE_OK) return
    end do
  end function

  ! u'' is given at every point; `first` is the number of the first one.
  subroutine sweep(x, y, own, first)
    integer, intent(in) :: own, first
    real(c_double), intent(in) :: x(0:own + 1)
    real(c_double), intent(inout) :: y(0:own + 1)
    integer :: j
    do j = 1, own
      y(j) = 0.5_c_double * (x(j - 1) + x(j + 1) - real(mod(first + j, 3), c_double))
    end do
  end subroutine

  integer function argument(index, by_default)
    integer, intent(in) :: index, by_default
    character(len=20) :: text
    integer :: status
    argument = by_default
    if (command_argument_count() < index) return
    call get_command_argument(index, text)
    read (text, *, iostat=status) argument
    if (status /= 0 .or. argument < 1) call give_up('an argument is a whole number from 1 on, not ' // trim(text))
  end function

  subroutine give_up(sentence)
    character(len=*), intent(in) :: sentence
    print '(a)', sentence
    stop 2
  end subroutine
end program
