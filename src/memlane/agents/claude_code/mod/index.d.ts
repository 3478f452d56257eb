export type LaneNote = { id: string; title: string; why: string }
export type LaneChoice = { key: string; name: string }
export type LaneQuestion = { name: string; choices: readonly LaneChoice[] }
export type LaneCard = {
  recall: string
  notes: readonly LaneNote[]
  kept: readonly LaneNote[]
  at: number
  open: boolean
  said: string
}

declare module 'claude-code' {
  interface PluginState {
    lane: { card: LaneCard | null; question: LaneQuestion | null; yields: boolean }
  }
}
