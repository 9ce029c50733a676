// A process with a renderer that hangs, to be killed.

import { rendererPids } from '../../src/platform/renderer/renderer.ts'
import { renderingTask } from '../../src/platform/renderer/task.ts'
import type { Instruction, Report } from './rendering-task.ts'

const follow = renderingTask<Instruction, Report>(new URL('./rendering-task.ts', import.meta.url))
await follow({ kind: 'return' })
void follow({ kind: 'hang' })
console.log(`renderer ${rendererPids().join()}`)
