// 起始页、台面与荷官学校的简体中文。

import type { SchoolWords } from "../catalogue";

export const SCHOOL: SchoolWords = {
  window_start: "起始页",
  window_deal: "亲自发牌",
  start_title: "本场页面",
  start_demo_title: "演示",
  start_note: "投注站、控制台和显示屏都是本场的设备。新设备会显示一个代码，须由两名人员批准。人员在控制台和场面以密码登录。",
  start_demo: "一张{game}牌桌（{table}）。三个机器人在玩，您也有筹码。不涉及真钱。",
  start_sign_on: "可登录：{people}",
  start_people: "演示的人员",
  use_deal: "您是荷官，由机器人下注。控制台旁的台面显示牌靴发出的下一张牌。",
  use_station: "客人的位置：放筹码、看牌局，并查看每注输赢依据哪一条款。",
  use_console: "荷官的位置：开放下注、录入牌、派彩，并纠正差错。",
  use_display: "众人观看的屏幕：牌、结果和路单。",
  use_floor: "供主管和账房使用：所有牌桌、设备、人员、票券、比赛、记录和报表。",
  use_board: "比赛的公开排行榜。",
  felt: "台面",
  felt_drawn: "牌靴发出",
  felt_astray: "多出的牌",
  felt_astray_on: "多出的牌（{hand}）",
  felt_none: "现在不发牌。",
  felt_cutting_card: "切牌卡",
  deal_note: "您是荷官，A1 至 A3 的机器人下注。开放下注、停止下注，再按牌靴发出的次序逐张录入：先点数，后花色。控制台会提示下一步。",
  deal_sign_on: "以 {person} 登录，密码 {pin}。",
};
