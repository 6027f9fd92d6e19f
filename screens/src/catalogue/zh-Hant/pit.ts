// The map of the floor, its curves and its lights in Traditional Chinese.

import type { PitWords } from "../catalogue";

export const PIT: PitWords = {
  page_map: "全場圖",
  map_panel: "{table} 檯",
  map_seat_money: "座位下注額",
  map_below: "{amount} 以下",
  map_from: "{amount} 及以上",
  map_seat_none: "未下注",
  map_seat_out: "故障或停用",
  map_lights: "指示燈",
  light_is: "{light}：{state}",
  light_alarms: "警報",
  light_calls: "呼叫服務",
  light_census: "牌靴點算",
  light_quiet: "正常",
  light_watch: "留意",
  light_alarm: "警報",
  wagers: "注項",
  nothing_lately: "最近 15 分鐘內除下注外沒有紀錄。",
};
