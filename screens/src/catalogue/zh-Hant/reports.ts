// 報表的繁體中文。伺服器寫檔案時亦從這裡取詞。

import type { ReportWords } from "../catalogue";

export const REPORT_WORDS: ReportWords = {
  report_dealers: "荷官（連佣金）",
  report_dealers_by_table: "各賭檯荷官",
  report_patrons: "客人（按編號）",
  report_tenders: "收付款項",
  period_of: "期間",
  period_day: "博彩日",
  period_shift: "更次",
  period_between: "起止時間",
  day: "博彩日",
  shift_starts: "更次開始",
  dealer: "荷官",
  hours: "小時",
  coups_an_hour: "每小時局數",
  credited: "記入",
  taken: "扣回",
  made_payable: "轉為應付",
  left_owing: "尚欠",
  set_off: "抵銷",
  tender_notes: "鈔票",
  paid_by_manual: "人手",
  made_with: "程式 {program}",
  casino_not_named: "娛樂場：____________________",
  signed_made: "製表：姓名、簽署、日期",
  signed_checked: "覆核：姓名、簽署、日期",
  dealer_remark: "每局歸開始該局投注的荷官，按更正後的結果計。小時為主持牌局的時間。",
  patron_remark: "留有編號的客人。各局按更正後的結果計；贏額為娛樂場所得。",
  put_right_remark: "記入與扣回分別列出。應付與尚欠為未能即時入帳的部分；抵銷為先前更正的餘額。",
  no_shifts: "娛樂場沒有設定更次。",
};
