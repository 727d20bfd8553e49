import type { Language } from "./document.ts"

/** Measures by what they are called in files. What is not here is called by that name. */
const LABELS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    protocol_errors: "protocol errors",
    invalid_actions: "invalid actions",
    duration_ms: "duration, ms",
  },
  zh: {
    success: "成功",
    reward: "奖励",
    steps: "步数",
    protocol_errors: "协议错误",
    invalid_actions: "无效动作",
    tokens: "词元",
    duration_ms: "用时（毫秒）",
  },
}

export function measureLabel(name: string, language: Language): string {
  return LABELS[language][name] ?? name
}
