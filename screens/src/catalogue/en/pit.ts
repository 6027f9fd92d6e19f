// The map of the floor, its curves and its lights in English.

export const PIT = {
  page_map: "Map",
  map_panel: "Table {table}",
  map_seat_money: "Money on a seat",
  map_below: "below {amount}",
  map_from: "{amount} and more",
  map_seat_none: "no wager",
  map_seat_out: "failed or out of service",
  map_lights: "Lights",
  light_is: "{light}: {state}",
  light_alarms: "Alarms",
  light_calls: "Attendant calls",
  light_census: "Cards of the shoe",
  light_quiet: "quiet",
  light_watch: "watch",
  light_alarm: "alarm",
  wagers: "Wagers",
  nothing_lately: "Nothing but wagers in the last 15 minutes.",
} as const;
