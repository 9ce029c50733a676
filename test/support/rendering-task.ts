// A task of the renderer that does what a test says.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { workerData } from 'node:worker_threads'

export type Instruction =
  | { kind: 'return'; value?: unknown }
  | { kind: 'work'; ms: number }
  /** writes this file when it begins */
  | { kind: 'hang'; file?: string }
  | { kind: 'fail' }
  | { kind: 'crash' }
  | { kind: 'grow' }

export interface Report {
  pid: number
  value: unknown
  /** the names in the environment of the renderer */
  environment: string[]
  data: unknown
}

/** Follows an instruction. */
export async function make(instruction: Instruction): Promise<Report> {
  const { kind } = instruction
  if (kind === 'hang') {
    if (instruction.file !== undefined) writeFileSync(instruction.file, '')
    for (;;);
  }
  if (kind === 'fail') throw new Error('The task has failed.')
  if (kind === 'crash') process.kill(process.pid, 'SIGKILL')
  if (kind === 'grow') {
    const kept: Buffer[] = []
    // Touches every page, outside the heap.
    for (;;) kept.push(randomBytes(2 ** 20))
  }
  if (kind === 'work') {
    const end = performance.now() + instruction.ms
    while (performance.now() < end);
  }
  const value = kind === 'return' ? instruction.value : undefined
  return { pid: process.pid, value, environment: Object.keys(process.env), data: workerData }
}
