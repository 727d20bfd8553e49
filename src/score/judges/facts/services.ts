/** What is charged for is more than the goods: wrapping, engraving, a plan. What is not on record by its name is not judged. */
export const SERVICES =
  /gift[- ]?wrap|\bwrap(?:ping|ped)?\b|engrav|monogram|embroider|install|assembl|set-?up fee|membership|insur|extended|protection plan|restocking fee|return label|return (?:fee|shipping)|expedit|express|rush|overnight|same-day|greeting cards?|gift (?:box|bag|note)|alteration|礼品包装|包装费|礼盒包装|礼盒费|刻字|刻名|绣字|安装费|上门费|组装|会员|加急|保价|运险|保险|贺卡|退货运费|换货运费|改价费|手续费|服务费|工本费|改签/
