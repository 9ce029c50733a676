// A thread that has the renderer of its process do a task.

import { parentPort } from 'node:worker_threads'
import { renderingTask } from '../../src/platform/renderer/task.ts'
import type { Instruction, Report } from './rendering-task.ts'

const follow = renderingTask<Instruction, Report>(new URL('./rendering-task.ts', import.meta.url))
parentPort?.postMessage(await follow({ kind: 'return', value: Buffer.from('from a thread') }))
