// A thread that makes documents, but never finishes the one called "stuck".

import { parentPort } from 'node:worker_threads'
import type { RenderRequest } from '../../src/paper/documents/messages.ts'

parentPort?.on('message', ({ id, template }: RenderRequest) => {
  if (template === 'stuck') for (;;);
  if (template === 'dead') throw new Error('The thread has died.')
  parentPort?.postMessage({ id, content: Buffer.from(template), pages: 1 })
})
