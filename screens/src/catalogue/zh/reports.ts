// 报表的简体中文。服务器写文件时也从这里取词。

import type { ReportWords } from "../catalogue";

export const REPORT_WORDS: ReportWords = {
  report_dealers: "荷官（含佣金）",
  report_dealers_by_table: "各桌荷官",
  report_patrons: "客人（按编号）",
  report_tenders: "收付款项",
  period_of: "期间",
  period_day: "博彩日",
  period_shift: "班次",
  period_between: "起止时间",
  day: "博彩日",
  shift_starts: "班次开始",
  dealer: "荷官",
  hours: "小时",
  coups_an_hour: "每小时局数",
  credited: "记入",
  taken: "扣回",
  made_payable: "转为应付",
  left_owing: "尚欠",
  set_off: "抵销",
  tender_notes: "纸币",
  paid_by_manual: "人工",
  made_with: "程序 {program}",
  casino_not_named: "赌场：____________________",
  signed_made: "制表：姓名、签字、日期",
  signed_checked: "复核：姓名、签字、日期",
  dealer_remark: "每局归开始该局投注的荷官，按更正后的结果计。小时为主持牌局的时间。",
  patron_remark: "留有编号的客人。各局按更正后的结果计；赢额为赌场所得。",
  put_right_remark: "记入与扣回分别列出。应付与尚欠为未能即时入账的部分；抵销为先前更正的余额。",
  no_shifts: "赌场没有设定班次。",
};
