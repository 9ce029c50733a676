// A thread that makes documents until it is asked for the one called "stuck", which it never finishes.

import { parentPort } from 'node:worker_threads'
import type { RenderRequest } from '../../src/paper/documents/messages.ts'

parentPort?.on('message', ({ id, template }: RenderRequest) => {
  if (template === 'stuck') for (;;);
  if (template === 'dead') throw new Error('The thread has died.')
  parentPort?.postMessage({ id, content: Buffer.from(template), pages: 1 })
})
