/*
 * What the words around a fact make of it: told of oneself, offered, asked for, over, or only counted from what was said.
 */

export const FIRST_PERSON = /\b(?:i|i'm|i've|i'd|i’m|i’ve|my|me|mine|we|our)\b|我|咱|俺/i
export const ORDERED = /\border|\bbought|\bplaced|\bpurchas|下单|下的|买|订|拍/i
/** Offers a price, and tells none. */
export const PROPOSES =
  /\b(?:how about|what about|(?:could|can|would) you (?:do|take|go|accept|make it)|meet me|do it for|make it|deal)\b|(?:行不行|行吗|可以吗|成不成|卖不卖|卖吗|成交|怎么样)/i
export const LATE =
  /\bdays? (?:late|overdue|behind)\b|\blate by\b|\bdays? (?:already|past)\b|[晚迟拖超][了出]?[^，。]{0,3}天/i
export const SPENT = /花了|付了|交了|当时|\bpaid\b|\bspent\b|\bcost me\b/i
/** Tells of a time that is over. */
export const PAST = /\b(?:been|for|ago|since|already|last|was|were|had|waited)\b|了|已经|前|过/i
/** Asks what the one that is wanted costs. */
export const PRICED = /\bhow much\b|\bprice of\b|多少钱|什么价/i
/** Tells by how much two sums differ. */
export const DIFFERENCE = /\b(?:differ\w*|more|extra|cheaper|less|save|gap|over|apart)\b|差|贵|多|便宜|省/i
/** Spans of time that anybody may speak of. */
export const PASSING = /^\d+(?:\.\d+)? (?:minute|分钟|second|次|个)$|^2 天$/
