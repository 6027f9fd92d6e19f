// 起始頁、檯面與荷官學校的繁體中文。

import type { SchoolWords } from "../catalogue";

export const SCHOOL: SchoolWords = {
  window_start: "起始頁",
  window_deal: "親自發牌",
  start_title: "本場頁面",
  start_demo_title: "示範",
  start_note: "投注機、控制台和顯示屏都是本場的裝置。新裝置會顯示一個代碼，須由兩名人員批准。人員在控制台和場面以密碼登入。",
  start_demo: "一張{game}賭檯（{table}）。三個機械人在玩，您也有籌碼。不涉及真錢。",
  start_sign_on: "可登入：{people}",
  start_people: "示範的人員",
  use_deal: "您是荷官，由機械人下注。控制台旁的檯面顯示牌靴發出的下一張牌。",
  use_station: "客人的位置：放籌碼、看牌局，並查看每注輸贏依據哪一條款。",
  use_console: "荷官的位置：開放下注、輸入牌、派彩，並糾正差錯。",
  use_display: "眾人觀看的螢幕：牌、結果和路單。",
  use_floor: "供主管和帳房使用：所有賭檯、裝置、人員、票券、比賽、記錄和報表。",
  use_board: "比賽的公開排行榜。",
  felt: "檯面",
  felt_drawn: "牌靴發出",
  felt_astray: "多出的牌",
  felt_astray_on: "多出的牌（{hand}）",
  felt_none: "現在不發牌。",
  felt_cutting_card: "切牌卡",
  deal_note: "您是荷官，A1 至 A3 的機械人下注。開放下注、停止下注，再按牌靴發出的次序逐張輸入：先點數，後花色。控制台會提示下一步。",
  deal_sign_on: "以 {person} 登入，密碼 {pin}。",
};
