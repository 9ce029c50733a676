// Runs in a thread of its own: takes the script of the reference page out of its package and packs it. The
// package holds four megabytes of text, which are gone again with the thread.

import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { type Packed, pack } from './packed.ts'

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`The package has no script: ${statusCode}.`)

/** What the thread sends, once. */
export type PackedScript = Packed
parentPort?.postMessage((await pack(rawPayload)) satisfies PackedScript)
