// Runs in its own thread: extracts the script of the reference page from its package and compresses it. The
// package takes four megabytes of memory, which are freed when the thread ends.

import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { type CompressedText, compress } from './compressed.ts'

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`The package has no script: ${statusCode}.`)

/** The only message of the thread. */
export type CompressedScript = CompressedText
parentPort?.postMessage((await compress(rawPayload)) satisfies CompressedScript)
