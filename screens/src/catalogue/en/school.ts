// The start page, the felt and the dealer school in English.

export const SCHOOL = {
  window_start: "Start",
  window_deal: "Deal yourself",
  start_title: "The pages of this floor",
  start_demo_title: "The demo",
  start_note:
    "Stations, consoles and displays are devices of the floor. A new one shows a code, and two of the staff approve it. At consoles and at the floor’s desk people sign on with their PIN.",
  start_demo: "One table ({table}) of {game}. Three robots play, and there are chips for you. Nobody plays for real money.",
  start_sign_on: "Who signs on: {people}",
  start_people: "The demo’s staff",
  use_deal: "You are the dealer and the robots wager. The felt beside the console shows which card comes out of the shoe.",
  use_station: "A patron’s place: lay chips, follow the coup, and read by which clause a wager won or lost.",
  use_console: "The dealer’s place: open the wagering, enter the cards, pay, and put right what went wrong.",
  use_display: "The screen that everybody looks at: cards, result and roads.",
  use_floor: "For supervisors and the cage: all tables, devices, staff, tickets, tournaments, records and reports.",
  use_board: "The public leader board of a tournament.",
  felt: "The felt",
  felt_drawn: "Out of the shoe comes",
  felt_astray: "Out, but due to nobody",
  felt_astray_on: "Out, but not due to {hand}",
  felt_none: "No card is drawn now.",
  felt_cutting_card: "The cutting card",
  deal_note:
    "You are the dealer; the robots at A1 to A3 wager. Open the wagering, close it, and enter each card as it comes out of the shoe: rank, then suit. The console says what comes next.",
  deal_sign_on: "Sign on as {person} with the PIN {pin}.",
} as const;
