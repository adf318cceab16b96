! 8 nodes add up what each brings; a matrix is multiplied by its rows.
module hello_body
  use vnode
  implicit none
contains
  function hello(me, user) bind(c) result(code)
    type(c_ptr), value :: me, user
    integer(c_int) :: code
    integer(c_int), target :: each, total
    integer(c_int), pointer :: answer
    each = 0
    total = 0
    if (vnode_group_rank(me) == 0) each = 3
    code = vnode_broadcast(me, c_loc(each), 1_c_size_t, VNODE_I32, 0)
    if (code == VNODE_OK) &
      code = vnode_reduce(me, c_loc(each), c_loc(total), 1_c_size_t, VNODE_I32, VNODE_SUM, 0)
    if (code == VNODE_OK .and. vnode_group_rank(me) == 0) then
      call c_f_pointer(user, answer)
      answer = total
    end if
  end function
end module

program fortran_hello
  use hello_body
  implicit none
  type(c_ptr) :: team = c_null_ptr
  integer(c_int) :: code
  integer(c_int), target :: answer = 0
  code = vnode_team_create(team, 8, 'hypercube' // c_null_char)
  if (code == VNODE_OK) code = vnode_team_run(team, c_funloc(hello), c_loc(answer))
  if (code /= VNODE_OK) then
    print '(a)', vnode_sentence()
    stop 2
  end if
  print '(a, i0)', 'hello from 8 nodes: 3 from each makes ', answer
  code = vnode_team_free(team)
  if (answer /= 24) stop 1
end program
