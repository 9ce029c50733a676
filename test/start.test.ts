// The service as a process: how it starts, prints its address, and stops.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { version } from '../src/process/version.ts'
import { preparedDataDir, temporaryDataDir } from './support/processes.ts'
import { run, startServiceProcess, until } from './support/service-process.ts'

test('a second service on one data folder says so and stops', async () => {
  const settings = { DATA_DIR: await preparedDataDir() }
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const second = await run(['start'], settings).ended
  assert.equal(second.code, 1)
  assert.match(second.output, /Another Waybill service is running/)
  assert.equal((await fetch(`${service.baseUrl}/health/ready`)).status, 200, 'the first one is not disturbed')
})

test('SIGTERM finishes the running work and exits successfully; a start after a kill works at once', async () => {
  const settings = { DATA_DIR: await preparedDataDir() }
  const first = await startServiceProcess(settings)
  await first.kill()
  const second = await startServiceProcess(settings)
  const { code, signal } = await second.stop()
  assert.deepEqual([code, signal], [0, null])
})

test('one Ctrl-C that arrives as two signals is a clean stop, and says at once what happens', async () => {
  const service = await startServiceProcess({ DATA_DIR: await preparedDataDir() })
  service.child.kill('SIGINT')
  await service.line(/^Stopping: /m)
  service.child.kill('SIGINT')
  assert.equal((await service.ended).code, 0)
})

test('a further Ctrl-C, once it is not taken for the first one, ends a slow stop', async () => {
  const service = await startServiceProcess({ DATA_DIR: await preparedDataDir(), LOG_LEVEL: 'info' })
  const { port } = new URL(service.baseUrl)
  const unfinished = connect(Number(port), '127.0.0.1').on('error', () => {})
  unfinished.write(
    'POST /connect/token HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n',
  )
  await once(unfinished, 'data')
  service.child.kill('SIGINT')
  await service.line(/SIGINT received, shutting down/)
  await until(async () => {
    service.child.kill('SIGINT')
    return service.child.exitCode !== null
  }, 'It did not end.')
  assert.equal((await service.ended).code, 1)
})

test('a service says that other machines can reach it, only if they can', async () => {
  for (const [host, isReported] of [
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ] as const) {
    const service = await startServiceProcess({ DATA_DIR: await preparedDataDir(), HOST: host })
    const { output } = await service.stop()
    assert.equal(
      /It listens on every address of this machine \(HOST=0\.0\.0\.0\)/.test(output),
      isReported,
      host,
    )
  }
})

test('a port in use is reported, with advice', async () => {
  const occupier = createServer().listen(0, '127.0.0.1')
  await once(occupier, 'listening')
  const { port } = occupier.address() as AddressInfo
  const { code, output } = await run(['start'], { DATA_DIR: await temporaryDataDir(), PORT: String(port) })
    .ended
  occupier.close()
  assert.equal(code, 1)
  assert.match(
    output,
    new RegExp(
      `^Port ${port} of 127\\.0\\.0\\.1 is in use\\. Set PORT to another one; PORT=0 takes any that is free\\.$`,
      'm',
    ),
  )
})

test('start with --json prints only its addresses on standard output; the log goes to standard error', async () => {
  const running = run(['start', '--json'], { DATA_DIR: await preparedDataDir(), LOG_LEVEL: 'info' })
  after(() => running.stop())
  let printed = ''
  running.child.stdout?.on('data', bytes => (printed += bytes))
  await running.line(/^\{"baseUrl".*$/m)
  await running.line(/is ready at/)
  const { output } = await running.stop()
  const addresses = JSON.parse(printed)
  assert.deepEqual(Object.keys(addresses), ['baseUrl', 'authUrl'])
  assert.match(addresses.baseUrl, /^http:\/\/localhost:\d+$/)
  assert.match(output, /SIGTERM received, shutting down/)
})

test('without --json, standard output has only the log, as lines of JSON', async () => {
  const running = run(['start'], { DATA_DIR: await preparedDataDir(), LOG_LEVEL: 'info' })
  let printed = ''
  running.child.stdout?.on('data', bytes => (printed += bytes))
  await running.line(/is ready at/)
  await running.stop()
  const lines = printed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { msg: string })
  assert.match(lines.at(-1)?.msg ?? '', /^SIGTERM received, shutting down/)
})

test('the service has liveness, readiness, metrics and the API reference', async () => {
  const service = await startServiceProcess({ DATA_DIR: await preparedDataDir() })
  after(() => service.stop())
  for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs']) {
    const response = await fetch(`${service.baseUrl}${path}`)
    assert.equal(response.status, 200, path)
    // A response body that is not read would delay the stop.
    await response.arrayBuffer()
  }
  for (const path of ['/health/live', '/health/ready']) {
    const response = await fetch(`${service.baseUrl}${path}`, { method: 'HEAD' })
    assert.deepEqual([response.status, await response.text()], [200, ''], path)
  }
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
  for (const name of [
    'waybill_http_request_duration_seconds',
    'waybill_database_connections',
    'waybill_queue_depth',
    'waybill_queue_age_seconds',
    `waybill_build_info\\{version="${version}"\\} 1$`,
    'waybill_database_away 0$',
    'waybill_database_replicas_asynchronous 0$',
  ]) {
    assert.match(metrics, new RegExp(`^${name}`, 'm'))
  }
})
