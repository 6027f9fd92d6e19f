// The map of the floor, its curves and its lights in Simplified Chinese.

import type { PitWords } from "../catalogue";

export const PIT: PitWords = {
  page_map: "全场图",
  map_panel: "{table} 台",
  map_seat_money: "座位下注额",
  map_below: "{amount} 以下",
  map_from: "{amount} 及以上",
  map_seat_none: "未下注",
  map_seat_out: "故障或停用",
  map_lights: "指示灯",
  light_is: "{light}：{state}",
  light_alarms: "警报",
  light_calls: "呼叫服务",
  light_census: "牌靴点算",
  light_quiet: "正常",
  light_watch: "留意",
  light_alarm: "警报",
  wagers: "注项",
  nothing_lately: "最近 15 分钟内除下注外没有记录。",
};
