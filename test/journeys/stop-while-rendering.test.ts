// Stops and kills a service that makes thumbnails of large logos: every client gets a response, the service
// ends in time, and so does its renderer.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import sharp from 'sharp'
import { clientCredentials } from '../support/given-oauth.ts'
import { apiCaller, newApp, setUp, temporaryDataDir } from '../support/processes.ts'
import { type RunningProcess, startServiceProcess, until } from '../support/service-process.ts'
import { createTestDatabase } from '../support/test-database.ts'

const settings = {
  DATABASE_URL: await createTestDatabase(),
  DATA_DIR: await temporaryDataDir(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  RATE_LIMITS: 'off',
}
const app = await newApp(settings)
const logo = {
  fileName: 'logo.png',
  contentType: 'image/png',
  content: (
    await sharp({ create: { width: 4_900, height: 4_900, channels: 3, background: 'navy' } })
      .png()
      .toBuffer()
  ).toString('base64'),
}

/** The process id of the renderer of a service; undefined if it has none. */
function rendererOf({ child }: RunningProcess): number | undefined {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const line = lines.find(
    text => text.trim().split(/\s+/)[1] === String(child.pid) && text.includes('renderer/process'),
  )
  return line === undefined ? undefined : Number(line.trim().split(/\s+/)[0])
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts a service, and uploads a hundred large logos to it. */
async function startUploads(path?: string) {
  const service = await startServiceProcess(settings)
  const caller = apiCaller(() => service.baseUrl, app)
  const logoPath = path ?? `/v1/partners/${(await setUp(caller)).clientId}/logo`
  await caller.must('PUT', logoPath, { logo })
  // Not by the client, which repeats what was refused.
  const { body: granted } = await clientCredentials(service.baseUrl, app)
  const headers = { authorization: `Bearer ${granted.access_token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ logo })
  let ended = 0
  const uploads = Array.from({ length: 100 }, () =>
    fetch(`${service.baseUrl}${logoPath}`, { method: 'PUT', headers, body }).finally(() => {
      ended++
    }),
  )
  const tasks = async () => {
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
    const figures = [...metrics.matchAll(/^waybill_renderer_tasks\{.*\} (\d+)$/gm)]
    return figures.reduce((sum, [, figure]) => sum + Number(figure), 0)
  }
  // All have been received, and some still wait.
  const haveArrived = async () => {
    const before = ended
    return before + (await tasks()) >= uploads.length
  }
  await until(haveArrived, 'Not all uploads have arrived.', 300_000)
  const renderer = await until(async () => rendererOf(service), 'There is no renderer.')
  return { service, uploads, renderer, logoPath }
}

let logoPath: string

test('a service that stops while a hundred logos wait answers every one, and ends by itself', async () => {
  const { service, uploads, renderer, ...paths } = await startUploads()
  logoPath = paths.logoPath
  const outcomes = Promise.allSettled(uploads)
  // A stop that would last until a container runtime kills the service is ended by force, without a code.
  const { code } = await service.stop()
  assert.equal(code, 0, service.output())
  for (const outcome of await outcomes) {
    assert.ok(outcome.status === 'fulfilled', String((outcome as PromiseRejectedResult).reason?.cause))
    assert.ok([200, 204, 503].includes(outcome.value.status), await outcome.value.text())
  }
  await until(async () => !isRunning(renderer), 'The renderer still runs.')
})

test('when the service is killed, its renderer ends as well', async () => {
  const { service, uploads, renderer } = await startUploads(logoPath)
  const outcomes = Promise.allSettled(uploads)
  await service.kill()
  await until(async () => !isRunning(renderer), 'The renderer still runs.')
  await outcomes
})
