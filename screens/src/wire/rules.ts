// Written by screens/messages.py from the server's own structs; do not edit.

export const ROLES = ["operator","dealer","game_supervisor","casino_supervisor","cashier","technician","tournament_director","inspector","surveillance"] as const;

export const TABLE_ROLES = {
  sign_on: ["operator","dealer","game_supervisor","casino_supervisor","cashier","technician"],
  sign_off: ["operator","dealer","game_supervisor","casino_supervisor","cashier","technician"],
  open_table: ["dealer","game_supervisor","casino_supervisor"],
  close_table: ["casino_supervisor"],
  approve_build: ["casino_supervisor"],
  notice: ["dealer","game_supervisor","casino_supervisor"],
  device: ["operator","dealer","game_supervisor","casino_supervisor","cashier","technician"],
  incident: ["dealer","game_supervisor","casino_supervisor"],
  shows_sign: ["dealer","game_supervisor","casino_supervisor"],
  withdraw_notice: ["dealer","game_supervisor","casino_supervisor"],
  check_cards: ["game_supervisor","casino_supervisor"],
  pack: ["dealer","game_supervisor","casino_supervisor"],
  new_shoe: ["dealer","game_supervisor","casino_supervisor"],
  open_shoe: ["dealer","game_supervisor","casino_supervisor"],
  order_shuffle: ["casino_supervisor"],
  replace_cards: ["game_supervisor","casino_supervisor"],
  cut: ["game_supervisor","casino_supervisor"],
  burn: ["dealer","game_supervisor","casino_supervisor"],
  show_burn: ["dealer","game_supervisor","casino_supervisor"],
  cutting_card: ["dealer","game_supervisor","casino_supervisor"],
  withdraw_cutting_card: ["dealer","game_supervisor","casino_supervisor"],
  buy_in: ["dealer","game_supervisor","casino_supervisor"],
  note: [],
  nominee: ["dealer","game_supervisor","casino_supervisor"],
  leave: ["dealer","game_supervisor","casino_supervisor"],
  stay: ["dealer","game_supervisor","casino_supervisor"],
  pay: ["dealer","game_supervisor","casino_supervisor"],
  print_failed: ["operator","dealer","game_supervisor","casino_supervisor","cashier","technician"],
  manual_pay: ["casino_supervisor"],
  direct_to_leave: ["dealer","game_supervisor","casino_supervisor"],
  vacate: ["dealer","game_supervisor","casino_supervisor"],
  out_of_service: ["game_supervisor","casino_supervisor","technician"],
  back_in_service: ["game_supervisor","casino_supervisor","technician"],
  move_patron: ["dealer","game_supervisor","casino_supervisor"],
  close_idle: ["dealer","game_supervisor","casino_supervisor"],
  fill: ["dealer","game_supervisor","casino_supervisor"],
  credit: ["dealer","game_supervisor","casino_supervisor"],
  count_float: ["dealer","game_supervisor","casino_supervisor"],
  set_wager: [],
  move: [],
  undo: [],
  clear: [],
  repeat: [],
  double: [],
  open: ["dealer","game_supervisor","casino_supervisor"],
  close: ["dealer","game_supervisor","casino_supervisor"],
  face_up: ["game_supervisor","casino_supervisor"],
  card: ["dealer","game_supervisor","casino_supervisor"],
  amend: ["dealer","game_supervisor","casino_supervisor"],
  take_back_card: ["dealer","game_supervisor","casino_supervisor"],
  confirm: ["dealer","game_supervisor","casino_supervisor"],
  void: ["dealer","game_supervisor","casino_supervisor"],
  fact: ["dealer","game_supervisor","casino_supervisor"],
  resolve: ["dealer","game_supervisor","casino_supervisor"],
  withdraw_fact: ["dealer","game_supervisor","casino_supervisor"],
  unresolve: ["dealer","game_supervisor","casino_supervisor"],
  freeze: ["dealer","game_supervisor","casino_supervisor"],
  correct: ["dealer","game_supervisor","casino_supervisor"],
  recalculate: ["dealer","game_supervisor","casino_supervisor"],
  unfreeze: ["dealer","game_supervisor","casino_supervisor"],
  invalidate: ["game_supervisor","casino_supervisor"],
  waive: ["casino_supervisor"],
  pay_payable: ["dealer","game_supervisor","casino_supervisor","cashier"],
  correct_buy_in: ["game_supervisor","casino_supervisor"],
  claim: ["dealer","game_supervisor","casino_supervisor"],
  decide_claim: ["dealer","game_supervisor","casino_supervisor"],
  remedy_done: ["dealer","game_supervisor","casino_supervisor"],
  dispute: ["dealer","game_supervisor","casino_supervisor"],
  decide_dispute: ["casino_supervisor"],
  breach: ["casino_supervisor"],
  act_on_breach: ["casino_supervisor"],
  end_detention: ["casino_supervisor"],
  seize: ["casino_supervisor"],
  release: ["casino_supervisor"],
  complaint: ["dealer","game_supervisor","casino_supervisor"],
  answer_complaint: ["dealer","game_supervisor","casino_supervisor"],
  close_complaint: ["casino_supervisor"],
  fault: ["dealer","game_supervisor","casino_supervisor","technician"],
  malfunction: ["dealer","game_supervisor","casino_supervisor"],
  seen: [],
  confirm_records: ["dealer","game_supervisor","casino_supervisor"],
  cannot_confirm: ["dealer","game_supervisor","casino_supervisor"],
  book_difference: ["casino_supervisor"],
  pay_by_hand: ["casino_supervisor"],
  agree_to_conclude: [],
} as const;

export const TABLE_SECONDS = ["game_supervisor","casino_supervisor"] as const;

export const HOUSE_ROLES = {
  configure_house: ["operator"],
  option: ["operator","casino_supervisor"],
  open_day: ["operator","casino_supervisor"],
  close_day: ["operator","casino_supervisor"],
  appoint: ["operator"],
  dismiss: ["operator"],
  unlock: ["operator","game_supervisor","casino_supervisor"],
  enrol: ["casino_supervisor","technician"],
  revoke: ["casino_supervisor","technician"],
  exclude: ["casino_supervisor"],
  readmit: ["casino_supervisor"],
  printed: ["technician"],
  redeem: ["cashier"],
  void_ticket: ["casino_supervisor"],
  reinstate: ["casino_supervisor"],
  expire: ["operator","casino_supervisor"],
  take_slip: ["cashier"],
  pay_slip: ["cashier"],
  hold_slip: ["casino_supervisor"],
  release_slip: ["casino_supervisor"],
} as const;

export const HOUSE_SECONDS = {
  configure_house: [],
  option: [],
  open_day: [],
  close_day: [],
  appoint: [],
  dismiss: [],
  unlock: [],
  enrol: ["game_supervisor","casino_supervisor"],
  revoke: [],
  exclude: [],
  readmit: [],
  printed: [],
  redeem: [],
  void_ticket: ["game_supervisor","casino_supervisor"],
  reinstate: ["game_supervisor","casino_supervisor"],
  expire: [],
  take_slip: [],
  pay_slip: ["casino_supervisor"],
  hold_slip: [],
  release_slip: [],
} as const;

export const AT_LEAST = {
  dealer: ["dealer","game_supervisor","casino_supervisor"],
  game_supervisor: ["game_supervisor","casino_supervisor"],
  casino_supervisor: ["casino_supervisor"],
} as const;

export const WORK_AT_A_TABLE = ["dealer","game_supervisor","casino_supervisor","cashier","technician"] as const;

export const ONLY_SIGNED_ON = ["dealer"] as const;

export const CLOSURE_ROLES = ["casino_supervisor"] as const;

export const SEE_FLOOR = ["operator","game_supervisor","casino_supervisor","inspector","surveillance"] as const;

export const SEE_ENROLMENTS = ["game_supervisor","casino_supervisor","technician"] as const;

export const SEE_SESSIONS = ["operator","game_supervisor","casino_supervisor"] as const;

export const FACTS = {
  missed_burn: {"cards":"none","hand":false,"reconstructible":false,"order_known":false,"count":true},
  excess_card_unseen: {"cards":"none","hand":false,"reconstructible":false,"order_known":false,"count":false},
  card_on_wrong_hand: {"cards":"some","hand":true,"reconstructible":false,"order_known":false,"count":false},
  wrong_third_card: {"cards":"some","hand":true,"reconstructible":false,"order_known":false,"count":false},
  no_wagers_but_cards_out: {"cards":"none","hand":false,"reconstructible":false,"order_known":false,"count":false},
  face_up_first_card: {"cards":"one","hand":false,"reconstructible":false,"order_known":false,"count":false},
  face_up_later_card: {"cards":"none","hand":false,"reconstructible":false,"order_known":false,"count":false},
  foreign_card: {"cards":"if_any","hand":false,"reconstructible":false,"order_known":false,"count":false},
  wrong_number_of_cards: {"cards":"if_any","hand":false,"reconstructible":true,"order_known":false,"count":false},
  simultaneous_cards: {"cards":"if_any","hand":false,"reconstructible":false,"order_known":true,"count":false},
  shoe_order_altered: {"cards":"none","hand":false,"reconstructible":true,"order_known":true,"count":false},
  not_enough_cards: {"cards":"none","hand":false,"reconstructible":false,"order_known":false,"count":true},
} as const;

export const CHOICES = {
  notice: {"kind":["minimum","aggregate_minimum","closure"]},
  device: {"device":["display","monitoring"]},
  withdraw_notice: {"kind":["minimum","aggregate_minimum","closure"]},
  check_cards: {"when":["opening","closing","rest"]},
  new_shoe: {"method":["hand","machine","virtual","pre-shuffled"]},
  count_float: {"when":["opening","shift_change","check","closing"]},
  fact: {"hand":["player","banker"]},
  invalidate: {"cause":["malfunction","commotion","fraud"]},
  act_on_breach: {"act":["void_wagers","exclude","confiscate","detain"]},
  book_difference: {"right":["ledger","meters"]},
  enrol: {"kind":["station","console","display","note_acceptor","printer","shoe"]},
} as const;

export const AT_A_STATION = ["note_acceptor","printer","station"] as const;
