! vnode for Fortran 2018: vnode.h by iso_c_binding, written by tools/bindings/write. Compile it with the program:
!
!     gfortran $(pkg-config --variable=fortran vnode) program.f90 $(pkg-config --libs vnode)
!
! docs/c.md says what the functions do: they have the names, arguments and codes of C. Handles are type(c_ptr). Data are
! passed as c_loc(x), so x is a target; a callback is a bind(c) function, passed as c_funloc(f). Texts end with
! c_null_char. What may be NULL in C, but for data and handles, is optional here. Ranks and tags count from 0, and so do
! rounds. Unsigned numbers are signed ones here, of as many bits. Structs end with _t, since Fortran takes vnode_located_f64
! for VNODE_LOCATED_F64.
module vnode
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer(c_int), parameter :: VNODE_DOMAIN_NONE = 0
  integer(c_int), parameter :: VNODE_DOMAIN_PACKAGE = 1
  integer(c_int), parameter :: VNODE_DOMAIN_NUMA = 2
  integer(c_int), parameter :: VNODE_DOMAIN_L3 = 3
  integer(c_int), parameter :: VNODE_DOMAIN_L2 = 4
  integer(c_int), parameter :: VNODE_DOMAIN_CORE = 5
  integer(c_int), parameter :: VNODE_DOMAIN_MACHINE = 6
  integer(c_int), parameter :: VNODE_NO_COLOR = -1
  integer(c_int), parameter :: VNODE_NO_RANK = -2147483647
  integer(c_int), parameter :: VNODE_I8 = 1
  integer(c_int), parameter :: VNODE_U8 = 2
  integer(c_int), parameter :: VNODE_I16 = 3
  integer(c_int), parameter :: VNODE_U16 = 4
  integer(c_int), parameter :: VNODE_I32 = 5
  integer(c_int), parameter :: VNODE_U32 = 6
  integer(c_int), parameter :: VNODE_I64 = 7
  integer(c_int), parameter :: VNODE_U64 = 8
  integer(c_int), parameter :: VNODE_F32 = 9
  integer(c_int), parameter :: VNODE_F64 = 10
  integer(c_int), parameter :: VNODE_F16 = 11
  integer(c_int), parameter :: VNODE_BF16 = 12
  integer(c_int), parameter :: VNODE_LONG_DOUBLE = 13
  integer(c_int), parameter :: VNODE_COMPLEX_F32 = 14
  integer(c_int), parameter :: VNODE_COMPLEX_F64 = 15
  integer(c_int), parameter :: VNODE_BOOL = 16
  integer(c_int), parameter :: VNODE_BYTE = 17
  integer(c_int), parameter :: VNODE_LOCATED_I8 = 33
  integer(c_int), parameter :: VNODE_LOCATED_U8 = 34
  integer(c_int), parameter :: VNODE_LOCATED_I16 = 35
  integer(c_int), parameter :: VNODE_LOCATED_U16 = 36
  integer(c_int), parameter :: VNODE_LOCATED_I32 = 37
  integer(c_int), parameter :: VNODE_LOCATED_U32 = 38
  integer(c_int), parameter :: VNODE_LOCATED_I64 = 39
  integer(c_int), parameter :: VNODE_LOCATED_U64 = 40
  integer(c_int), parameter :: VNODE_LOCATED_F32 = 41
  integer(c_int), parameter :: VNODE_LOCATED_F64 = 42
  integer(c_int), parameter :: VNODE_LOCATED_F16 = 43
  integer(c_int), parameter :: VNODE_LOCATED_BF16 = 44
  integer(c_int), parameter :: VNODE_LOCATED_LONG_DOUBLE = 45
  integer(c_int), parameter :: VNODE_SUM = 101
  integer(c_int), parameter :: VNODE_PRODUCT = 102
  integer(c_int), parameter :: VNODE_MIN = 103
  integer(c_int), parameter :: VNODE_MAX = 104
  integer(c_int), parameter :: VNODE_BIT_AND = 105
  integer(c_int), parameter :: VNODE_BIT_OR = 106
  integer(c_int), parameter :: VNODE_BIT_XOR = 107
  integer(c_int), parameter :: VNODE_LOGICAL_AND = 108
  integer(c_int), parameter :: VNODE_LOGICAL_OR = 109
  integer(c_int), parameter :: VNODE_LOGICAL_XOR = 110
  integer(c_int), parameter :: VNODE_MIN_LOCATION = 111
  integer(c_int), parameter :: VNODE_MAX_LOCATION = 112
  integer(c_int), parameter :: VNODE_REPLACE = 0
  integer(c_int), parameter :: VNODE_COMBINE_BEFORE = 1
  integer(c_int), parameter :: VNODE_COMBINE_AFTER = 2
  integer(c_int), parameter :: VNODE_THREADS_OWN = 0
  integer(c_int), parameter :: VNODE_THREADS_CALLERS = 1
  integer(c_int), parameter :: VNODE_WAIT_AUTOMATIC = 0
  integer(c_int), parameter :: VNODE_WAIT_SPIN = 1
  integer(c_int), parameter :: VNODE_WAIT_YIELD = 2
  integer(c_int), parameter :: VNODE_WAIT_PARK = 3
  integer(c_int), parameter :: VNODE_CHANNEL_LINE = 0
  integer(c_int), parameter :: VNODE_CHANNEL_BOOST = 1
  integer(c_int), parameter :: VNODE_CHOICE_DEFAULT = 0
  integer(c_int), parameter :: VNODE_CHOICE_ON = 1
  integer(c_int), parameter :: VNODE_CHOICE_OFF = 2
  integer(c_int), parameter :: VNODE_NODES_DEFAULT = 0
  integer(c_int), parameter :: VNODE_NODES_THREADS = 1
  integer(c_int), parameter :: VNODE_NODES_FIBERS = 2
  integer(c_int), parameter :: VNODE_BANKS_DEFAULT = 0
  integer(c_int), parameter :: VNODE_BANKS_OWNER = 1
  integer(c_int), parameter :: VNODE_BANKS_PEER = 2
  integer(c_int), parameter :: VNODE_BANKS_SPREAD = 3
  integer(c_int), parameter :: VNODE_BANKS_INTERLEAVE = 4
  integer(c_int), parameter :: VNODE_BANKS_ONE = 5
  integer(c_int), parameter :: VNODE_ANY_RANK = -1
  integer(c_int), parameter :: VNODE_PAGES_FIRST_TOUCH = 0
  integer(c_int), parameter :: VNODE_PAGES_PREFERRED = 1
  integer(c_int), parameter :: VNODE_PAGES_BIND = 2
  integer(c_int), parameter :: VNODE_PAGES_INTERLEAVE = 3
  integer(c_int), parameter :: VNODE_HUGE_PAGES_USUAL = 0
  integer(c_int), parameter :: VNODE_HUGE_PAGES_NONE = 1
  integer(c_int), parameter :: VNODE_HUGE_PAGES_TRANSPARENT = 2
  integer(c_int), parameter :: VNODE_HUGE_PAGES_RESERVED = 3
  integer(c_int), parameter :: VNODE_ANY_SOURCE = -2147483647 - 1
  integer(c_int), parameter :: VNODE_ANY_TAG = -2147483647 - 1
  integer(c_int), parameter :: VNODE_ABSENT = 0
  integer(c_int), parameter :: VNODE_JOINING = 1
  integer(c_int), parameter :: VNODE_COMPUTING = 2
  integer(c_int), parameter :: VNODE_CALLING = 3
  integer(c_int), parameter :: VNODE_LEFT = 4
  integer(c_int), parameter :: VNODE_OK = 0
  integer(c_int), parameter :: VNODE_ERROR_USAGE = -1
  integer(c_int), parameter :: VNODE_ERROR_MISMATCH = -2
  integer(c_int), parameter :: VNODE_ERROR_TIME_LIMIT = -3
  integer(c_int), parameter :: VNODE_ERROR_ABORTED = -4
  integer(c_int), parameter :: VNODE_ERROR_SYSTEM = -5
  integer(c_int), parameter :: VNODE_ERROR_MEMORY = -6
  integer(c_int), parameter :: VNODE_ERROR_OTHER = -7
  integer(c_int), parameter :: VNODE_ERROR_DEADLOCK = -8
  integer(c_int), parameter :: VNODE_ABI = 1
  integer(c_int), parameter :: VNODE_OCCUPATION_WAIT = 0
  integer(c_int), parameter :: VNODE_OCCUPATION_COPY = 1
  integer(c_int), parameter :: VNODE_OCCUPATION_COMBINE = 2
  integer(c_int), parameter :: VNODE_OCCUPATION_SEND = 3

  type, bind(c) :: vnode_port_t
    integer(c_int) :: dimension = 0
    integer(c_int) :: step = 0
  end type

  type, bind(c) :: vnode_located_i8_t
    integer(c_int8_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_u8_t
    integer(c_int8_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_i16_t
    integer(c_int16_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_u16_t
    integer(c_int16_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_i32_t
    integer(c_int32_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_u32_t
    integer(c_int32_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_i64_t
    integer(c_int64_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_u64_t
    integer(c_int64_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_f32_t
    real(c_float) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_f64_t
    real(c_double) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_f16_t
    integer(c_int16_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_bf16_t
    integer(c_int16_t) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_located_long_double_t
    real(c_long_double) :: value = 0
    integer(c_int64_t) :: index = 0
  end type

  type, bind(c) :: vnode_operator_definition_t
    integer(c_size_t) :: size = 0
    type(c_ptr) :: name = c_null_ptr
    type(c_funptr) :: combine = c_null_funptr
    type(c_ptr) :: user = c_null_ptr
    type(c_funptr) :: release = c_null_funptr
    integer(c_int) :: commutative = 0
  end type

  type, bind(c) :: vnode_interval_t
    integer(c_int) :: first = 0
    integer(c_int) :: last = 0
  end type

  type, bind(c) :: vnode_transfer_t
    integer(c_int) :: round = 0
    integer(c_int) :: from = 0
    integer(c_int) :: to = 0
    integer(c_int) :: effect = 0
    type(c_ptr) :: what = c_null_ptr
    integer(c_size_t) :: what_count = 0
    type(c_ptr) :: into = c_null_ptr
    integer(c_size_t) :: into_count = 0
  end type

  type, bind(c) :: vnode_call_options_t
    integer(c_size_t) :: size = 0
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: segments = 0
    integer(c_int) :: radix = 0
    integer(c_int) :: deterministic = 0
    type(c_ptr) :: schedule = c_null_ptr
    type(c_ptr) :: hierarchy = c_null_ptr
    type(c_ptr) :: in_layout = c_null_ptr
    type(c_ptr) :: out_layout = c_null_ptr
  end type

  type, bind(c) :: vnode_received_t
    integer(c_size_t) :: count = 0
    integer(c_int) :: from = 0
    integer(c_int) :: tag = 0
  end type

  type, bind(c) :: vnode_piece_t
    type(c_ptr) :: data = c_null_ptr
    integer(c_size_t) :: count = 0
    type(c_ptr) :: layout = c_null_ptr
  end type

  type, bind(c) :: vnode_cost_model_t
    integer(c_size_t) :: size = 0
    real(c_double) :: t_s = 0
    real(c_double) :: t_w = 0
    real(c_double) :: t_op = 0
    real(c_double) :: t_put = 0
    real(c_double) :: o = 0
    real(c_double) :: nodes_per_pu = 0
    integer(c_size_t) :: eager_to = 0
    integer(c_size_t) :: shared_from = 0
  end type

  type, bind(c) :: vnode_team_options_t
    integer(c_size_t) :: size = 0
    integer(c_int) :: threads = 0
    integer(c_int) :: wait = 0
    integer(c_int) :: channel = 0
    integer(c_int) :: pin = 0
    integer(c_int) :: keep_caller_pinned = 0
    type(c_ptr) :: mapping = c_null_ptr
    type(c_ptr) :: pus = c_null_ptr
    integer(c_size_t) :: pus_count = 0
    integer(c_int) :: banks = 0
    integer(c_int) :: strict_banks = 0
    integer(c_int) :: arenas = 0
    integer(c_size_t) :: arenas_from = 0
    integer(c_int) :: apart = 0
    integer(c_int) :: checked = 0
    integer(c_int) :: deterministic = 0
    real(c_double) :: time_limit = 0
    type(c_ptr) :: algorithms = c_null_ptr
    type(c_ptr) :: costs = c_null_ptr
    type(c_ptr) :: inline_to = c_null_ptr
    type(c_ptr) :: shared_from = c_null_ptr
    integer(c_int) :: statistics = 0
    integer(c_int) :: deadlocks = 0
    type(c_ptr) :: share = c_null_ptr
    type(c_ptr) :: spin = c_null_ptr
    type(c_ptr) :: profile = c_null_ptr
    integer(c_int) :: nodes = 0
    integer(c_size_t) :: stack = 0
  end type

  type, bind(c) :: vnode_page_placement_t
    integer(c_size_t) :: size = 0
    integer(c_int) :: policy = 0
    type(c_ptr) :: banks = c_null_ptr
    integer(c_size_t) :: banks_count = 0
    integer(c_int) :: huge_pages = 0
    integer(c_size_t) :: alignment = 0
    integer(c_int) :: strict = 0
  end type

  type, bind(c) :: vnode_page_audit_t
    integer(c_size_t) :: untouched = 0
    integer(c_size_t) :: unknown = 0
    integer(c_size_t) :: touched = 0
  end type

  type, bind(c) :: vnode_owned_memory_t
    integer(c_int) :: owner = 0
    integer(c_int) :: scratch = 0
    integer(c_int) :: bank = 0
    type(c_ptr) :: on = c_null_ptr
    integer(c_size_t) :: on_count = 0
    type(vnode_page_audit_t) :: pages
    type(c_ptr) :: degraded = c_null_ptr
    integer(c_size_t) :: degraded_count = 0
  end type

  type, bind(c) :: vnode_call_statistics_t
    integer(c_size_t) :: size = 0
    type(c_ptr) :: operation = c_null_ptr
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: group = 0
    integer(c_size_t) :: up_to_bytes = 0
    integer(c_int) :: varying = 0
    integer(c_int) :: in_order = 0
    integer(c_int) :: deterministic = 0
    integer(c_int) :: radix = 0
    integer(c_int64_t) :: calls = 0
    integer(c_int64_t) :: bytes = 0
    real(c_double) :: seconds = 0
    real(c_double) :: waiting = 0
    real(c_double) :: least = 0
    real(c_double) :: longest = 0
    integer(c_int) :: awaited = 0
    real(c_double) :: awaited_seconds = 0
    integer(c_int) :: last = 0
    integer(c_size_t) :: nodes_count = 0
  end type

  type, bind(c) :: vnode_node_statistics_t
    integer(c_int) :: node = 0
    integer(c_int64_t) :: calls = 0
    integer(c_int64_t) :: bytes = 0
    real(c_double) :: seconds = 0
    real(c_double) :: waiting = 0
  end type

  type, bind(c) :: vnode_node_state_t
    integer(c_size_t) :: size = 0
    integer(c_int) :: where = 0
    type(c_ptr) :: call = c_null_ptr
    type(c_ptr) :: text = c_null_ptr
    integer(c_int64_t) :: number = 0
    integer(c_int64_t) :: tag = 0
    integer(c_int) :: round = 0
    integer(c_int) :: awaited = 0
  end type

  type, bind(c) :: vnode_occupation_t
    integer(c_int) :: node = 0
    integer(c_int) :: kind = 0
    integer(c_int) :: round = 0
    real(c_double) :: begin = 0
    real(c_double) :: end = 0
  end type

  type, bind(c) :: vnode_timed_message_t
    integer(c_int) :: round = 0
    integer(c_int) :: from = 0
    integer(c_int) :: to = 0
    integer(c_size_t) :: bytes = 0
    real(c_double) :: start = 0
    real(c_double) :: departure = 0
    real(c_double) :: end = 0
  end type

  type, bind(c) :: vnode_traced_call_t
    integer(c_size_t) :: size = 0
    integer(c_int) :: group = 0
    integer(c_int) :: number = 0
    integer(c_int) :: nodes = 0
    integer(c_int) :: complete = 0
    real(c_double) :: seconds = 0
    type(c_ptr) :: title = c_null_ptr
    type(c_ptr) :: algorithm = c_null_ptr
    type(c_ptr) :: messages = c_null_ptr
    integer(c_size_t) :: messages_count = 0
    type(c_ptr) :: occupations = c_null_ptr
    integer(c_size_t) :: occupations_count = 0
  end type

  interface
    function vnode_topology_create(topology, shape, nodes) bind(c)
      import
      type(c_ptr), intent(inout) :: topology
      character(kind=c_char), intent(in), optional :: shape(*)
      integer(c_int), value :: nodes
      integer(c_int) :: vnode_topology_create
    end function
    function vnode_topology_free(topology) bind(c)
      import
      type(c_ptr), intent(inout) :: topology
      integer(c_int) :: vnode_topology_free
    end function
    function vnode_topology_nodes(topology) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int) :: vnode_topology_nodes
    end function
    function vnode_topology_vertices(topology) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int) :: vnode_topology_vertices
    end function
    function vnode_topology_dimensions(topology) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int) :: vnode_topology_dimensions
    end function
    function vnode_topology_extent(topology, dimension) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: dimension
      integer(c_int) :: vnode_topology_extent
    end function
    function vnode_topology_links(topology) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int) :: vnode_topology_links
    end function
    function vnode_topology_diameter(topology) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int) :: vnode_topology_diameter
    end function
    function vnode_topology_bisection(topology) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int) :: vnode_topology_bisection
    end function
    function vnode_topology_distance(topology, from, to) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: from
      integer(c_int), value :: to
      integer(c_int) :: vnode_topology_distance
    end function
    function vnode_topology_rank_at(topology, coordinates) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), intent(in), optional :: coordinates(*)
      integer(c_int) :: vnode_topology_rank_at
    end function
    function vnode_topology_degree(topology, vertex) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: vertex
      integer(c_int) :: vnode_topology_degree
    end function
    function vnode_topology_neighbour(topology, vertex, port) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: vertex
      integer(c_int), value :: port
      integer(c_int) :: vnode_topology_neighbour
    end function
    function vnode_topology_directed_link(topology, vertex, port) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: vertex
      integer(c_int), value :: port
      integer(c_int) :: vnode_topology_directed_link
    end function
    function vnode_topology_port_of(topology, directed_link) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: directed_link
      integer(c_int) :: vnode_topology_port_of
    end function
    function vnode_topology_coordinates(topology, rank, coordinates) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: rank
      integer(c_int), intent(inout), optional :: coordinates(*)
      integer(c_int) :: vnode_topology_coordinates
    end function
    function vnode_topology_port(topology, vertex, port, direction) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: vertex
      integer(c_int), value :: port
      type(vnode_port_t), intent(inout), optional :: direction
      integer(c_int) :: vnode_topology_port
    end function
    function vnode_topology_ends(topology, directed_link, from, to) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: directed_link
      integer(c_int), intent(inout), optional :: from
      integer(c_int), intent(inout), optional :: to
      integer(c_int) :: vnode_topology_ends
    end function
    function vnode_topology_route(topology, from, to, routing, links) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: from
      integer(c_int), value :: to
      character(kind=c_char), intent(in), optional :: routing(*)
      integer(c_int), intent(inout), optional :: links(*)
      integer(c_int) :: vnode_topology_route
    end function
    function vnode_topology_text(topology, text) bind(c)
      import
      type(c_ptr), value :: topology
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: vnode_topology_text
    end function
    function vnode_topology_port_name(topology, vertex, port, name) bind(c)
      import
      type(c_ptr), value :: topology
      integer(c_int), value :: vertex
      integer(c_int), value :: port
      type(c_ptr), intent(inout) :: name
      integer(c_int) :: vnode_topology_port_name
    end function
    function vnode_group_rank(group) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int) :: vnode_group_rank
    end function
    function vnode_group_size(group) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int) :: vnode_group_size
    end function
    function vnode_group_team_rank(group, rank) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: rank
      integer(c_int) :: vnode_group_team_rank
    end function
    function vnode_group_topology(group, topology) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), intent(inout) :: topology
      integer(c_int) :: vnode_group_topology
    end function
    function vnode_group_last_algorithm(group, name) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), intent(inout) :: name
      integer(c_int) :: vnode_group_last_algorithm
    end function
    function vnode_group_last_segments(group) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int) :: vnode_group_last_segments
    end function
    function vnode_group_split(group, color, key, shape, made) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: color
      integer(c_int), value :: key
      character(kind=c_char), intent(in), optional :: shape(*)
      type(c_ptr), intent(inout) :: made
      integer(c_int) :: vnode_group_split
    end function
    function vnode_group_split_along(group, dimensions, count, made) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), intent(in), optional :: dimensions(*)
      integer(c_int), value :: count
      type(c_ptr), intent(inout) :: made
      integer(c_int) :: vnode_group_split_along
    end function
    function vnode_group_split_domain(group, domain, made) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: domain
      type(c_ptr), intent(inout) :: made
      integer(c_int) :: vnode_group_split_domain
    end function
    function vnode_group_free(group) bind(c)
      import
      type(c_ptr), intent(inout) :: group
      integer(c_int) :: vnode_group_free
    end function
    function vnode_abort(group, code, reason) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: code
      character(kind=c_char), intent(in), optional :: reason(*)
      integer(c_int) :: vnode_abort
    end function
    function vnode_arena_concurrency(me) bind(c)
      import
      type(c_ptr), value :: me
      integer(c_int) :: vnode_arena_concurrency
    end function
    function vnode_arena_pus(me, pus, room) bind(c)
      import
      type(c_ptr), value :: me
      integer(c_int), intent(inout), optional :: pus(*)
      integer(c_int), value :: room
      integer(c_int) :: vnode_arena_pus
    end function
    function vnode_arena_parallel_for(me, begin, end, grain, body, user) bind(c)
      import
      type(c_ptr), value :: me
      integer(c_size_t), value :: begin
      integer(c_size_t), value :: end
      integer(c_size_t), value :: grain
      type(c_funptr), value :: body
      type(c_ptr), value :: user
      integer(c_int) :: vnode_arena_parallel_for
    end function
    function vnode_unpinned_begin(unpinned) bind(c)
      import
      type(c_ptr), intent(inout) :: unpinned
      integer(c_int) :: vnode_unpinned_begin
    end function
    function vnode_unpinned_end(unpinned) bind(c)
      import
      type(c_ptr), intent(inout) :: unpinned
      integer(c_int) :: vnode_unpinned_end
    end function
    function vnode_type_register(name, bytes, alignment, type) bind(c)
      import
      character(kind=c_char), intent(in), optional :: name(*)
      integer(c_size_t), value :: bytes
      integer(c_size_t), value :: alignment
      integer(c_int), intent(inout), optional :: type
      integer(c_int) :: vnode_type_register
    end function
    function vnode_type_size(type, bytes) bind(c)
      import
      integer(c_int), value :: type
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: vnode_type_size
    end function
    function vnode_type_name(type) bind(c)
      import
      integer(c_int), value :: type
      type(c_ptr) :: vnode_type_name
    end function
    function vnode_f16_from_float(number) bind(c)
      import
      real(c_float), value :: number
      integer(c_int16_t) :: vnode_f16_from_float
    end function
    function vnode_f16_to_float(bits) bind(c)
      import
      integer(c_int16_t), value :: bits
      real(c_float) :: vnode_f16_to_float
    end function
    function vnode_bf16_from_float(number) bind(c)
      import
      real(c_float), value :: number
      integer(c_int16_t) :: vnode_bf16_from_float
    end function
    function vnode_bf16_to_float(bits) bind(c)
      import
      integer(c_int16_t), value :: bits
      real(c_float) :: vnode_bf16_to_float
    end function
    function vnode_operator_create(op, definition) bind(c)
      import
      integer(c_int), intent(inout), optional :: op
      type(vnode_operator_definition_t), intent(in), optional :: definition
      integer(c_int) :: vnode_operator_create
    end function
    function vnode_operator_free(op) bind(c)
      import
      integer(c_int), intent(inout), optional :: op
      integer(c_int) :: vnode_operator_free
    end function
    function vnode_operator_name(op) bind(c)
      import
      integer(c_int), value :: op
      type(c_ptr) :: vnode_operator_name
    end function
    function vnode_layout_contiguous(layout, count, of) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      integer(c_size_t), value :: count
      type(c_ptr), value :: of
      integer(c_int) :: vnode_layout_contiguous
    end function
    function vnode_layout_vector(layout, count, block, stride, of) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      integer(c_size_t), value :: count
      integer(c_size_t), value :: block
      integer(c_ptrdiff_t), value :: stride
      type(c_ptr), value :: of
      integer(c_int) :: vnode_layout_vector
    end function
    function vnode_layout_indexed(layout, count, lengths, displacements, of) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      integer(c_size_t), value :: count
      integer(c_size_t), intent(in), optional :: lengths(*)
      integer(c_ptrdiff_t), intent(in), optional :: displacements(*)
      type(c_ptr), value :: of
      integer(c_int) :: vnode_layout_indexed
    end function
    function vnode_layout_subarray(layout, dimensions, array, sizes, starts, of) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      integer(c_int), value :: dimensions
      integer(c_size_t), intent(in), optional :: array(*)
      integer(c_size_t), intent(in), optional :: sizes(*)
      integer(c_size_t), intent(in), optional :: starts(*)
      type(c_ptr), value :: of
      integer(c_int) :: vnode_layout_subarray
    end function
    function vnode_layout_structure(layout, count, displacements, members) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      integer(c_size_t), value :: count
      integer(c_ptrdiff_t), intent(in), optional :: displacements(*)
      type(c_ptr), intent(in) :: members(*)
      integer(c_int) :: vnode_layout_structure
    end function
    function vnode_layout_resized(layout, of, extent) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      type(c_ptr), value :: of
      integer(c_ptrdiff_t), value :: extent
      integer(c_int) :: vnode_layout_resized
    end function
    function vnode_layout_shifted(layout, of, offset) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      type(c_ptr), value :: of
      integer(c_ptrdiff_t), value :: offset
      integer(c_int) :: vnode_layout_shifted
    end function
    function vnode_layout_count(layout, count) bind(c)
      import
      type(c_ptr), value :: layout
      integer(c_size_t), intent(inout), optional :: count
      integer(c_int) :: vnode_layout_count
    end function
    function vnode_layout_bounds(layout, first, last, extent) bind(c)
      import
      type(c_ptr), value :: layout
      integer(c_ptrdiff_t), intent(inout), optional :: first
      integer(c_ptrdiff_t), intent(inout), optional :: last
      integer(c_ptrdiff_t), intent(inout), optional :: extent
      integer(c_int) :: vnode_layout_bounds
    end function
    function vnode_layout_overlaps(layout) bind(c)
      import
      type(c_ptr), value :: layout
      integer(c_int) :: vnode_layout_overlaps
    end function
    function vnode_layout_text(layout, text) bind(c)
      import
      type(c_ptr), value :: layout
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: vnode_layout_text
    end function
    function vnode_layout_free(layout) bind(c)
      import
      type(c_ptr), intent(inout) :: layout
      integer(c_int) :: vnode_layout_free
    end function
    function vnode_schedule_create(schedule, name, nodes, blocks) bind(c)
      import
      type(c_ptr), intent(inout) :: schedule
      character(kind=c_char), intent(in), optional :: name(*)
      integer(c_int), value :: nodes
      integer(c_int), value :: blocks
      integer(c_int) :: vnode_schedule_create
    end function
    function vnode_schedule_add(schedule, transfer) bind(c)
      import
      type(c_ptr), value :: schedule
      type(vnode_transfer_t), intent(in), optional :: transfer
      integer(c_int) :: vnode_schedule_add
    end function
    function vnode_schedule_nodes(schedule) bind(c)
      import
      type(c_ptr), value :: schedule
      integer(c_int) :: vnode_schedule_nodes
    end function
    function vnode_schedule_blocks(schedule) bind(c)
      import
      type(c_ptr), value :: schedule
      integer(c_int) :: vnode_schedule_blocks
    end function
    function vnode_schedule_rounds(schedule) bind(c)
      import
      type(c_ptr), value :: schedule
      integer(c_int) :: vnode_schedule_rounds
    end function
    function vnode_schedule_transfers(schedule, round) bind(c)
      import
      type(c_ptr), value :: schedule
      integer(c_int), value :: round
      integer(c_int) :: vnode_schedule_transfers
    end function
    function vnode_schedule_transfer(schedule, round, index, transfer) bind(c)
      import
      type(c_ptr), value :: schedule
      integer(c_int), value :: round
      integer(c_int), value :: index
      type(vnode_transfer_t), intent(inout), optional :: transfer
      integer(c_int) :: vnode_schedule_transfer
    end function
    function vnode_schedule_free(schedule) bind(c)
      import
      type(c_ptr), intent(inout) :: schedule
      integer(c_int) :: vnode_schedule_free
    end function
    function vnode_hierarchy_create(hierarchy, text, nodes) bind(c)
      import
      type(c_ptr), intent(inout) :: hierarchy
      character(kind=c_char), intent(in), optional :: text(*)
      integer(c_int), value :: nodes
      integer(c_int) :: vnode_hierarchy_create
    end function
    function vnode_hierarchy_text(hierarchy, text) bind(c)
      import
      type(c_ptr), value :: hierarchy
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: vnode_hierarchy_text
    end function
    function vnode_hierarchy_levels(hierarchy) bind(c)
      import
      type(c_ptr), value :: hierarchy
      integer(c_int) :: vnode_hierarchy_levels
    end function
    function vnode_hierarchy_apart(hierarchy, one, other) bind(c)
      import
      type(c_ptr), value :: hierarchy
      integer(c_int), value :: one
      integer(c_int), value :: other
      integer(c_int) :: vnode_hierarchy_apart
    end function
    function vnode_hierarchy_free(hierarchy) bind(c)
      import
      type(c_ptr), intent(inout) :: hierarchy
      integer(c_int) :: vnode_hierarchy_free
    end function
    function vnode_request_wait(request, received) bind(c)
      import
      type(c_ptr), intent(inout) :: request
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_request_wait
    end function
    function vnode_request_test(request, complete, received) bind(c)
      import
      type(c_ptr), intent(inout) :: request
      integer(c_int), intent(inout), optional :: complete
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_request_test
    end function
    function vnode_request_cancel(request, cancelled) bind(c)
      import
      type(c_ptr), intent(inout) :: request
      integer(c_int), intent(inout), optional :: cancelled
      integer(c_int) :: vnode_request_cancel
    end function
    function vnode_request_free(request) bind(c)
      import
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_request_free
    end function
    function vnode_request_wait_all(requests, count) bind(c)
      import
      type(c_ptr), intent(inout) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_int) :: vnode_request_wait_all
    end function
    function vnode_request_test_all(requests, count, complete) bind(c)
      import
      type(c_ptr), intent(inout) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_int), intent(inout), optional :: complete
      integer(c_int) :: vnode_request_test_all
    end function
    function vnode_request_wait_any(requests, count, index, received) bind(c)
      import
      type(c_ptr), intent(inout) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout), optional :: index
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_request_wait_any
    end function
    function vnode_request_test_any(requests, count, index, received) bind(c)
      import
      type(c_ptr), intent(inout) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout), optional :: index
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_request_test_any
    end function
    function vnode_request_wait_some(requests, count, indices, complete, received_list) bind(c)
      import
      type(c_ptr), intent(inout) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout), optional :: indices(*)
      integer(c_size_t), intent(inout), optional :: complete
      type(vnode_received_t), intent(inout), optional :: received_list(*)
      integer(c_int) :: vnode_request_wait_some
    end function
    function vnode_request_test_some(requests, count, indices, complete, received_list) bind(c)
      import
      type(c_ptr), intent(inout) :: requests(*)
      integer(c_size_t), value :: count
      integer(c_size_t), intent(inout), optional :: indices(*)
      integer(c_size_t), intent(inout), optional :: complete
      type(vnode_received_t), intent(inout), optional :: received_list(*)
      integer(c_int) :: vnode_request_test_some
    end function
    function vnode_persistent_start(persistent) bind(c)
      import
      type(c_ptr), value :: persistent
      integer(c_int) :: vnode_persistent_start
    end function
    function vnode_persistent_wait(persistent) bind(c)
      import
      type(c_ptr), value :: persistent
      integer(c_int) :: vnode_persistent_wait
    end function
    function vnode_persistent_test(persistent, complete) bind(c)
      import
      type(c_ptr), value :: persistent
      integer(c_int), intent(inout), optional :: complete
      integer(c_int) :: vnode_persistent_test
    end function
    function vnode_persistent_free(persistent) bind(c)
      import
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_persistent_free
    end function
    function vnode_broadcast(group, data, count, type, root, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_broadcast
    end function
    function vnode_broadcast_nonblocking(group, data, count, type, root, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_broadcast_nonblocking
    end function
    function vnode_broadcast_persistent(group, data, count, type, root, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_broadcast_persistent
    end function
    function vnode_reduce(group, in, out, count, type, op, root, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_reduce
    end function
    function vnode_reduce_nonblocking(group, in, out, count, type, op, root, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_reduce_nonblocking
    end function
    function vnode_reduce_persistent(group, in, out, count, type, op, root, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_reduce_persistent
    end function
    function vnode_all_reduce(group, in, out, count, type, op, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_all_reduce
    end function
    function vnode_all_reduce_nonblocking(group, in, out, count, type, op, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_all_reduce_nonblocking
    end function
    function vnode_all_reduce_persistent(group, in, out, count, type, op, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_all_reduce_persistent
    end function
    function vnode_scan(group, in, out, count, type, op, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_scan
    end function
    function vnode_scan_nonblocking(group, in, out, count, type, op, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_scan_nonblocking
    end function
    function vnode_scan_persistent(group, in, out, count, type, op, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_scan_persistent
    end function
    function vnode_exclusive_scan(group, in, out, count, type, op, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_exclusive_scan
    end function
    function vnode_exclusive_scan_nonblocking(group, in, out, count, type, op, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_exclusive_scan_nonblocking
    end function
    function vnode_exclusive_scan_persistent(group, in, out, count, type, op, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_exclusive_scan_persistent
    end function
    function vnode_all_gather(group, in, out, count, type, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_all_gather
    end function
    function vnode_all_gather_nonblocking(group, in, out, count, type, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_all_gather_nonblocking
    end function
    function vnode_all_gather_persistent(group, in, out, count, type, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_all_gather_persistent
    end function
    function vnode_gather(group, in, out, count, type, root, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_gather
    end function
    function vnode_gather_nonblocking(group, in, out, count, type, root, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_gather_nonblocking
    end function
    function vnode_gather_persistent(group, in, out, count, type, root, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_gather_persistent
    end function
    function vnode_scatter(group, in, out, count, type, root, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_scatter
    end function
    function vnode_scatter_nonblocking(group, in, out, count, type, root, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_scatter_nonblocking
    end function
    function vnode_scatter_persistent(group, in, out, count, type, root, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_scatter_persistent
    end function
    function vnode_reduce_scatter(group, in, out, count, type, op, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_reduce_scatter
    end function
    function vnode_reduce_scatter_nonblocking(group, in, out, count, type, op, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_reduce_scatter_nonblocking
    end function
    function vnode_reduce_scatter_persistent(group, in, out, count, type, op, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_reduce_scatter_persistent
    end function
    function vnode_all_to_all(group, in, out, count, type, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_all_to_all
    end function
    function vnode_all_to_all_nonblocking(group, in, out, count, type, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_all_to_all_nonblocking
    end function
    function vnode_all_to_all_persistent(group, in, out, count, type, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_all_to_all_persistent
    end function
    function vnode_circular_shift(group, in, out, count, type, shift, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: shift
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_circular_shift
    end function
    function vnode_circular_shift_nonblocking(group, in, out, count, type, shift, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: shift
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_circular_shift_nonblocking
    end function
    function vnode_circular_shift_persistent(group, in, out, count, type, shift, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: shift
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_circular_shift_persistent
    end function
    function vnode_barrier(group, options) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_barrier
    end function
    function vnode_barrier_nonblocking(group, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_barrier_nonblocking
    end function
    function vnode_barrier_persistent(group, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_barrier_persistent
    end function
    function vnode_all_gather_v(group, in, in_count, out, counts, displacements, type, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_all_gather_v
    end function
    function vnode_all_gather_v_nonblocking(group, in, in_count, out, counts, displacements, type, options, &
        request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_all_gather_v_nonblocking
    end function
    function vnode_all_gather_v_persistent(group, in, in_count, out, counts, displacements, type, options, &
        persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_all_gather_v_persistent
    end function
    function vnode_gather_v(group, in, in_count, out, counts, displacements, type, root, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_gather_v
    end function
    function vnode_gather_v_nonblocking(group, in, in_count, out, counts, displacements, type, root, &
        options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_gather_v_nonblocking
    end function
    function vnode_gather_v_persistent(group, in, in_count, out, counts, displacements, type, root, &
        options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_gather_v_persistent
    end function
    function vnode_scatter_v(group, in, counts, displacements, out, out_count, type, root, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), value :: out_count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_scatter_v
    end function
    function vnode_scatter_v_nonblocking(group, in, counts, displacements, out, out_count, type, root, &
        options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), value :: out_count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_scatter_v_nonblocking
    end function
    function vnode_scatter_v_persistent(group, in, counts, displacements, out, out_count, type, root, &
        options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_size_t), intent(in), optional :: displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), value :: out_count
      integer(c_int), value :: type
      integer(c_int), value :: root
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_scatter_v_persistent
    end function
    function vnode_reduce_scatter_v(group, in, out, counts, type, op, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_reduce_scatter_v
    end function
    function vnode_reduce_scatter_v_nonblocking(group, in, out, counts, type, op, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_reduce_scatter_v_nonblocking
    end function
    function vnode_reduce_scatter_v_persistent(group, in, out, counts, type, op, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: counts(*)
      integer(c_int), value :: type
      integer(c_int), value :: op
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_reduce_scatter_v_persistent
    end function
    function vnode_all_to_all_v(group, in, in_counts, in_displacements, out, out_counts, out_displacements, &
        type, options) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: in_counts(*)
      integer(c_size_t), intent(in), optional :: in_displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: out_counts(*)
      integer(c_size_t), intent(in), optional :: out_displacements(*)
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_all_to_all_v
    end function
    function vnode_all_to_all_v_nonblocking(group, in, in_counts, in_displacements, out, out_counts, &
        out_displacements, type, options, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: in_counts(*)
      integer(c_size_t), intent(in), optional :: in_displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: out_counts(*)
      integer(c_size_t), intent(in), optional :: out_displacements(*)
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_all_to_all_v_nonblocking
    end function
    function vnode_all_to_all_v_persistent(group, in, in_counts, in_displacements, out, out_counts, &
        out_displacements, type, options, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: in_counts(*)
      integer(c_size_t), intent(in), optional :: in_displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: out_counts(*)
      integer(c_size_t), intent(in), optional :: out_displacements(*)
      integer(c_int), value :: type
      type(vnode_call_options_t), intent(in), optional :: options
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_all_to_all_v_persistent
    end function
    function vnode_neighbours_create(neighbours, topology, rank) bind(c)
      import
      type(c_ptr), intent(inout) :: neighbours
      type(c_ptr), value :: topology
      integer(c_int), value :: rank
      integer(c_int) :: vnode_neighbours_create
    end function
    function vnode_neighbours_create_lists(neighbours, sources, sources_count, targets, targets_count) bind(c)
      import
      type(c_ptr), intent(inout) :: neighbours
      integer(c_int), intent(in), optional :: sources(*)
      integer(c_int), value :: sources_count
      integer(c_int), intent(in), optional :: targets(*)
      integer(c_int), value :: targets_count
      integer(c_int) :: vnode_neighbours_create_lists
    end function
    function vnode_neighbours_sources(neighbours, sources, room) bind(c)
      import
      type(c_ptr), value :: neighbours
      integer(c_int), intent(inout), optional :: sources(*)
      integer(c_int), value :: room
      integer(c_int) :: vnode_neighbours_sources
    end function
    function vnode_neighbours_targets(neighbours, targets, room) bind(c)
      import
      type(c_ptr), value :: neighbours
      integer(c_int), intent(inout), optional :: targets(*)
      integer(c_int), value :: room
      integer(c_int) :: vnode_neighbours_targets
    end function
    function vnode_neighbours_free(neighbours) bind(c)
      import
      type(c_ptr), intent(inout) :: neighbours
      integer(c_int) :: vnode_neighbours_free
    end function
    function vnode_exchange(group, in, out, count, type, neighbours) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      integer(c_int) :: vnode_exchange
    end function
    function vnode_exchange_nonblocking(group, in, out, count, type, neighbours, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_exchange_nonblocking
    end function
    function vnode_exchange_persistent(group, in, out, count, type, neighbours, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_exchange_persistent
    end function
    function vnode_exchange_v(group, in, in_counts, in_displacements, out, out_counts, out_displacements, &
        type, neighbours) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: in_counts(*)
      integer(c_size_t), intent(in), optional :: in_displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: out_counts(*)
      integer(c_size_t), intent(in), optional :: out_displacements(*)
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      integer(c_int) :: vnode_exchange_v
    end function
    function vnode_exchange_v_nonblocking(group, in, in_counts, in_displacements, out, out_counts, &
        out_displacements, type, neighbours, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: in_counts(*)
      integer(c_size_t), intent(in), optional :: in_displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: out_counts(*)
      integer(c_size_t), intent(in), optional :: out_displacements(*)
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_exchange_v_nonblocking
    end function
    function vnode_exchange_v_persistent(group, in, in_counts, in_displacements, out, out_counts, &
        out_displacements, type, neighbours, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      integer(c_size_t), intent(in), optional :: in_counts(*)
      integer(c_size_t), intent(in), optional :: in_displacements(*)
      type(c_ptr), value :: out
      integer(c_size_t), intent(in), optional :: out_counts(*)
      integer(c_size_t), intent(in), optional :: out_displacements(*)
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_exchange_v_persistent
    end function
    function vnode_exchange_pieces(group, in, out, type, neighbours) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: in
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      integer(c_int) :: vnode_exchange_pieces
    end function
    function vnode_exchange_pieces_nonblocking(group, in, out, type, neighbours, request) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: in
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_exchange_pieces_nonblocking
    end function
    function vnode_exchange_pieces_persistent(group, in, out, type, neighbours, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: in
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: type
      type(c_ptr), value :: neighbours
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_exchange_pieces_persistent
    end function
    function vnode_all_to_all_w(group, in, out, type) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: in
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: type
      integer(c_int) :: vnode_all_to_all_w
    end function
    function vnode_all_to_all_w_nonblocking(group, in, out, type, request) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: in
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: type
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_all_to_all_w_nonblocking
    end function
    function vnode_all_to_all_w_persistent(group, in, out, type, persistent) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: in
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: type
      type(c_ptr), intent(inout) :: persistent
      integer(c_int) :: vnode_all_to_all_w_persistent
    end function
    function vnode_send_piece(group, piece, type, to, tag) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: piece
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: tag
      integer(c_int) :: vnode_send_piece
    end function
    function vnode_recv_piece(group, piece, type, from, tag, received) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: piece
      integer(c_int), value :: type
      integer(c_int), value :: from
      integer(c_int), value :: tag
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_recv_piece
    end function
    function vnode_sendrecv_pieces(group, out, to, in, from, type, tag, received) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: out
      integer(c_int), value :: to
      type(vnode_piece_t), intent(in), optional :: in
      integer(c_int), value :: from
      integer(c_int), value :: type
      integer(c_int), value :: tag
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_sendrecv_pieces
    end function
    function vnode_isend_piece(group, piece, type, to, tag, request) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: piece
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: tag
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_isend_piece
    end function
    function vnode_irecv_piece(group, piece, type, from, tag, request) bind(c)
      import
      type(c_ptr), value :: group
      type(vnode_piece_t), intent(in), optional :: piece
      integer(c_int), value :: type
      integer(c_int), value :: from
      integer(c_int), value :: tag
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_irecv_piece
    end function
    function vnode_probe(group, from, tag, type, received) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: from
      integer(c_int), value :: tag
      integer(c_int), value :: type
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_probe
    end function
    function vnode_iprobe(group, from, tag, type, found, received) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: from
      integer(c_int), value :: tag
      integer(c_int), value :: type
      integer(c_int), intent(inout), optional :: found
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_iprobe
    end function
    function vnode_mprobe(group, from, tag, type, message, received) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: from
      integer(c_int), value :: tag
      integer(c_int), value :: type
      type(c_ptr), intent(inout) :: message
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_mprobe
    end function
    function vnode_improbe(group, from, tag, type, message, received) bind(c)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: from
      integer(c_int), value :: tag
      integer(c_int), value :: type
      type(c_ptr), intent(inout) :: message
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_improbe
    end function
    function vnode_matched_message_recv(message, data, count, type, received) bind(c)
      import
      type(c_ptr), intent(inout) :: message
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_matched_message_recv
    end function
    function vnode_matched_message_irecv(message, data, count, type, request) bind(c)
      import
      type(c_ptr), intent(inout) :: message
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_matched_message_irecv
    end function
    function vnode_matched_message_free(message) bind(c)
      import
      type(c_ptr), intent(inout) :: message
      integer(c_int) :: vnode_matched_message_free
    end function
    function vnode_team_create(team, nodes, shape, options) bind(c)
      import
      type(c_ptr), intent(inout) :: team
      integer(c_int), value :: nodes
      character(kind=c_char), intent(in), optional :: shape(*)
      type(vnode_team_options_t), intent(in), optional :: options
      integer(c_int) :: vnode_team_create
    end function
    function vnode_team_free(team) bind(c)
      import
      type(c_ptr), intent(inout) :: team
      integer(c_int) :: vnode_team_free
    end function
    function vnode_team_run(team, body, user) bind(c)
      import
      type(c_ptr), value :: team
      type(c_funptr), value :: body
      type(c_ptr), value :: user
      integer(c_int) :: vnode_team_run
    end function
    function vnode_this_node(me) bind(c)
      import
      type(c_ptr), intent(inout) :: me
      integer(c_int) :: vnode_this_node
    end function
    function vnode_yield(me) bind(c)
      import
      type(c_ptr), value :: me
      integer(c_int) :: vnode_yield
    end function
    function vnode_team_join(team, rank, membership, me) bind(c)
      import
      type(c_ptr), value :: team
      integer(c_int), value :: rank
      type(c_ptr), intent(inout) :: membership
      type(c_ptr), intent(inout) :: me
      integer(c_int) :: vnode_team_join
    end function
    function vnode_membership_node(membership, me) bind(c)
      import
      type(c_ptr), value :: membership
      type(c_ptr), intent(inout) :: me
      integer(c_int) :: vnode_membership_node
    end function
    function vnode_membership_leave(membership) bind(c)
      import
      type(c_ptr), intent(inout) :: membership
      integer(c_int) :: vnode_membership_leave
    end function
    function vnode_membership_abort(membership, reason) bind(c)
      import
      type(c_ptr), intent(inout) :: membership
      character(kind=c_char), intent(in), optional :: reason(*)
      integer(c_int) :: vnode_membership_abort
    end function
    function vnode_team_size(team) bind(c)
      import
      type(c_ptr), value :: team
      integer(c_int) :: vnode_team_size
    end function
    function vnode_team_topology(team, topology) bind(c)
      import
      type(c_ptr), value :: team
      type(c_ptr), intent(inout) :: topology
      integer(c_int) :: vnode_team_topology
    end function
    function vnode_team_costs(team, costs) bind(c)
      import
      type(c_ptr), value :: team
      type(vnode_cost_model_t), intent(inout), optional :: costs
      integer(c_int) :: vnode_team_costs
    end function
    function vnode_team_report(team, text) bind(c)
      import
      type(c_ptr), value :: team
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: vnode_team_report
    end function
    function vnode_team_bytes(team, channels, scratch) bind(c)
      import
      type(c_ptr), value :: team
      integer(c_size_t), intent(inout), optional :: channels
      integer(c_size_t), intent(inout), optional :: scratch
      integer(c_int) :: vnode_team_bytes
    end function
    function vnode_buffer_create(buffer, bytes, placement) bind(c)
      import
      type(c_ptr), intent(inout) :: buffer
      integer(c_size_t), value :: bytes
      type(vnode_page_placement_t), intent(in), optional :: placement
      integer(c_int) :: vnode_buffer_create
    end function
    function vnode_team_buffer(team, owner, count, element_bytes, pieces, buffer) bind(c)
      import
      type(c_ptr), value :: team
      integer(c_int), value :: owner
      integer(c_size_t), value :: count
      integer(c_size_t), value :: element_bytes
      integer(c_int), value :: pieces
      type(c_ptr), intent(inout) :: buffer
      integer(c_int) :: vnode_team_buffer
    end function
    function vnode_buffer_data(buffer, data, bytes) bind(c)
      import
      type(c_ptr), value :: buffer
      type(c_ptr), intent(inout) :: data
      integer(c_size_t), intent(inout), optional :: bytes
      integer(c_int) :: vnode_buffer_data
    end function
    function vnode_buffer_place(buffer, first, bytes, placement) bind(c)
      import
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: first
      integer(c_size_t), value :: bytes
      type(vnode_page_placement_t), intent(in), optional :: placement
      integer(c_int) :: vnode_buffer_place
    end function
    function vnode_buffer_claim(buffer, first, bytes) bind(c)
      import
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: first
      integer(c_size_t), value :: bytes
      integer(c_int) :: vnode_buffer_claim
    end function
    function vnode_buffer_touch(buffer) bind(c)
      import
      type(c_ptr), value :: buffer
      integer(c_int) :: vnode_buffer_touch
    end function
    function vnode_buffer_degraded(buffer, index, sentence) bind(c)
      import
      type(c_ptr), value :: buffer
      integer(c_int), value :: index
      type(c_ptr), intent(inout) :: sentence
      integer(c_int) :: vnode_buffer_degraded
    end function
    function vnode_buffer_free(buffer) bind(c)
      import
      type(c_ptr), intent(inout) :: buffer
      integer(c_int) :: vnode_buffer_free
    end function
    function vnode_audit_pages(first, bytes, audit, on, room) bind(c)
      import
      type(c_ptr), value :: first
      integer(c_size_t), value :: bytes
      type(vnode_page_audit_t), intent(inout), optional :: audit
      integer(c_size_t), intent(inout), optional :: on(*)
      integer(c_int), value :: room
      integer(c_int) :: vnode_audit_pages
    end function
    function vnode_team_memory(team, visit, user) bind(c)
      import
      type(c_ptr), value :: team
      type(c_funptr), value :: visit
      type(c_ptr), value :: user
      integer(c_int) :: vnode_team_memory
    end function
    function vnode_send(group, data, count, type, to, tag) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: tag
      integer(c_int) :: vnode_send
    end function
    function vnode_recv(group, data, count, type, from, tag, received) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: from
      integer(c_int), value :: tag
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_recv
    end function
    function vnode_sendrecv(group, out, out_count, to, in, in_count, from, type, tag, received) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: out
      integer(c_size_t), value :: out_count
      integer(c_int), value :: to
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      integer(c_int), value :: from
      integer(c_int), value :: type
      integer(c_int), value :: tag
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_sendrecv
    end function
    function vnode_sendrecv_tags(group, out, out_count, to, out_tag, in, in_count, from, in_tag, type, &
        received) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: out
      integer(c_size_t), value :: out_count
      integer(c_int), value :: to
      integer(c_int), value :: out_tag
      type(c_ptr), value :: in
      integer(c_size_t), value :: in_count
      integer(c_int), value :: from
      integer(c_int), value :: in_tag
      integer(c_int), value :: type
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_sendrecv_tags
    end function
    function vnode_sendrecv_replace(group, data, count, type, to, out_tag, from, in_tag, received) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: out_tag
      integer(c_int), value :: from
      integer(c_int), value :: in_tag
      type(vnode_received_t), intent(inout), optional :: received
      integer(c_int) :: vnode_sendrecv_replace
    end function
    function vnode_isend(group, data, count, type, to, tag, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: tag
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_isend
    end function
    function vnode_irecv(group, data, count, type, from, tag, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: from
      integer(c_int), value :: tag
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_irecv
    end function
    function vnode_ssend(group, data, count, type, to, tag) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: tag
      integer(c_int) :: vnode_ssend
    end function
    function vnode_issend(group, data, count, type, to, tag, request) bind(c)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: data
      integer(c_size_t), value :: count
      integer(c_int), value :: type
      integer(c_int), value :: to
      integer(c_int), value :: tag
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: vnode_issend
    end function
    function vnode_team_statistics(team, statistics) bind(c)
      import
      type(c_ptr), value :: team
      type(c_ptr), intent(inout) :: statistics
      integer(c_int) :: vnode_team_statistics
    end function
    function vnode_statistics_rows(statistics) bind(c)
      import
      type(c_ptr), value :: statistics
      integer(c_int) :: vnode_statistics_rows
    end function
    function vnode_statistics_row(statistics, row, calls) bind(c)
      import
      type(c_ptr), value :: statistics
      integer(c_int), value :: row
      type(vnode_call_statistics_t), intent(inout), optional :: calls
      integer(c_int) :: vnode_statistics_row
    end function
    function vnode_statistics_node(statistics, row, index, node) bind(c)
      import
      type(c_ptr), value :: statistics
      integer(c_int), value :: row
      integer(c_int), value :: index
      type(vnode_node_statistics_t), intent(inout), optional :: node
      integer(c_int) :: vnode_statistics_node
    end function
    function vnode_statistics_text(statistics, text) bind(c)
      import
      type(c_ptr), value :: statistics
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: vnode_statistics_text
    end function
    function vnode_statistics_json(statistics, json) bind(c)
      import
      type(c_ptr), value :: statistics
      type(c_ptr), intent(inout) :: json
      integer(c_int) :: vnode_statistics_json
    end function
    function vnode_statistics_free(statistics) bind(c)
      import
      type(c_ptr), intent(inout) :: statistics
      integer(c_int) :: vnode_statistics_free
    end function
    function vnode_team_state(team, state) bind(c)
      import
      type(c_ptr), value :: team
      type(c_ptr), intent(inout) :: state
      integer(c_int) :: vnode_team_state
    end function
    function vnode_roll_call_in_run(state) bind(c)
      import
      type(c_ptr), value :: state
      integer(c_int) :: vnode_roll_call_in_run
    end function
    function vnode_roll_call_node(state, rank, node) bind(c)
      import
      type(c_ptr), value :: state
      integer(c_int), value :: rank
      type(vnode_node_state_t), intent(inout), optional :: node
      integer(c_int) :: vnode_roll_call_node
    end function
    function vnode_roll_call_text(state, text) bind(c)
      import
      type(c_ptr), value :: state
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: vnode_roll_call_text
    end function
    function vnode_roll_call_json(state, json) bind(c)
      import
      type(c_ptr), value :: state
      type(c_ptr), intent(inout) :: json
      integer(c_int) :: vnode_roll_call_json
    end function
    function vnode_roll_call_free(state) bind(c)
      import
      type(c_ptr), intent(inout) :: state
      integer(c_int) :: vnode_roll_call_free
    end function
    function vnode_message() bind(c)
      import
      type(c_ptr) :: vnode_message
    end function
    subroutine vnode_set_message(sentence) bind(c)
      import
      character(kind=c_char), intent(in), optional :: sentence(*)
    end subroutine
    function vnode_status_name(code) bind(c)
      import
      integer(c_int), value :: code
      type(c_ptr) :: vnode_status_name
    end function
    function vnode_version() bind(c)
      import
      type(c_ptr) :: vnode_version
    end function
    function vnode_abi_version() bind(c)
      import
      integer(c_int) :: vnode_abi_version
    end function
    subroutine vnode_text_free(text) bind(c)
      import
      type(c_ptr), intent(inout) :: text
    end subroutine
    function vnode_team_trace(team, events) bind(c)
      import
      type(c_ptr), value :: team
      integer(c_size_t), value :: events
      integer(c_int) :: vnode_team_trace
    end function
    function vnode_team_take_trace(team, trace) bind(c)
      import
      type(c_ptr), value :: team
      type(c_ptr), intent(inout) :: trace
      integer(c_int) :: vnode_team_take_trace
    end function
    function vnode_trace_counts(trace, calls, dropped) bind(c)
      import
      type(c_ptr), value :: trace
      integer(c_size_t), intent(inout), optional :: calls
      integer(c_size_t), intent(inout), optional :: dropped
      integer(c_int) :: vnode_trace_counts
    end function
    function vnode_trace_call(trace, index, call) bind(c)
      import
      type(c_ptr), value :: trace
      integer(c_size_t), value :: index
      type(vnode_traced_call_t), intent(inout), optional :: call
      integer(c_int) :: vnode_trace_call
    end function
    function vnode_trace_free(trace) bind(c)
      import
      type(c_ptr), intent(inout) :: trace
      integer(c_int) :: vnode_trace_free
    end function
    function vnode_while_waiting_begin(waiting, look, user) bind(c)
      import
      type(c_ptr), intent(inout) :: waiting
      type(c_funptr), value :: look
      type(c_ptr), value :: user
      integer(c_int) :: vnode_while_waiting_begin
    end function
    function vnode_while_waiting_end(waiting) bind(c)
      import
      type(c_ptr), intent(inout) :: waiting
      integer(c_int) :: vnode_while_waiting_end
    end function
  end interface

contains

  ! Returns the sentence of this thread's last failure.
  function vnode_sentence() result(sentence)
    character(len=:), allocatable :: sentence
    sentence = vnode_string(vnode_message())
  end function

  ! Returns a text of C as one of Fortran; '' for c_null_ptr.
  function vnode_string(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    interface
      pure function strlen(text) bind(c)
        import :: c_ptr, c_size_t
        type(c_ptr), intent(in), value :: text
        integer(c_size_t) :: strlen
      end function
    end interface
    copy = ''
    if (.not. c_associated(text)) return
    call c_f_pointer(text, letters, [strlen(text)])
    copy = repeat(' ', size(letters))
    do i = 1, size(letters)
      copy(i:i) = letters(i)
    end do
  end function
end module vnode
