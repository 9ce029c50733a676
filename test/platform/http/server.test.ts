// Requests over real sockets: every refusal has the specified error body, whatever was sent. Spec 1, 7.

import assert from 'node:assert/strict'
import { createConnection, type Socket } from 'node:net'
import { test } from 'node:test'
import { asJson, assertError, id, openTestServer } from '../../support/given-server.ts'

const { app, port, logged, metrics, send, raw } = await openTestServer()

test('a response contains what its schema describes and nothing more', async () => {
  const { status, text, headers } = await send('GET', `/v1/partners/${id.toUpperCase()}`)
  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text), { id, note: null })
  assert.deepEqual([headers['x-content-type-options'], headers['cache-control']], ['nosniff', 'no-store'])
})

const anonymous = { headers: { authorization: '' } }

test('an unknown path returns 404 with the error body, even without a token', async () => {
  for (const [path = '', hint = ''] of [
    ['/'],
    [`/v1/partners/${id}/%2e%2e/secrets`],
    [`/v1/${'partners'.repeat(500)}`],
    ['/v2/partners', ' The closest is /v1/partners.'],
    ['/v1/Small', ' The closest is /v1/small.'],
    ['/partner', ' The closest is /v1/partners.'],
    [`/v1/partner/${id}`, ' The closest is /v1/partners/{partnerId}.'],
  ])
    assertError(
      await send('GET', path, anonymous),
      404,
      'Not Found',
      `There is no endpoint at this address.${hint}`,
    )
  const collection = 'There is no endpoint at this address. Without the slash at its end there is: /v1/small.'
  assertError(await send('GET', '/v1/small/', anonymous), 404, 'Not Found', collection)
  assertError(
    await send('GET', `/v1/partners/${id}/?x=1`, anonymous),
    404,
    'Not Found',
    'There is no endpoint at this address. Without the slash at its end there is: /v1/partners/{partnerId}.',
  )
})

test('a method that a path does not support returns 405 and lists the supported ones', async () => {
  for (const [method, path, name, allow, words] of [
    [
      'POST',
      `/v1/partners/${id}`,
      '/v1/partners/{partnerId}',
      'DELETE, GET, HEAD, PUT',
      'DELETE, GET, HEAD and PUT',
    ],
    ['PATCH', '/v1/small', '/v1/small', 'POST', 'POST'],
    ['OPTIONS', '/v1/small?x', '/v1/small', 'POST', 'POST'],
    ['TRACE', '/v1/small', '/v1/small', 'POST', 'POST'],
    ['PROPFIND', '/v1/small', '/v1/small', 'POST', 'POST'],
    ['GET', '/v1/small', '/v1/small', 'POST', 'POST'],
  ] as const) {
    const refused = await send(method, path, anonymous)
    assertError(
      refused,
      405,
      'Method Not Allowed',
      `The address ${name} answers to ${words}, not to ${method}.`,
    )
    assert.equal(refused.headers.allow, allow)
  }
})

test('a request that fails without its body is refused before the body is sent', async () => {
  for (const [start, status] of [
    ['POST /nope HTTP/1.1', 404],
    ['PATCH /v1/small HTTP/1.1', 405],
    ['POST /v1/small HTTP/1.1', 401],
  ] as const) {
    const head = `${start}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`
    assert.equal((await raw(head)).status, status)
  }
})

test('HEAD responds like GET, without the body', async () => {
  const path = `/v1/partners/${id}`
  const [get, head] = [await send('GET', path), await send('HEAD', path)]
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const name of ['content-type', 'content-length', 'etag']) {
    assert.ok(get.headers[name])
    assert.equal(head.headers[name], get.headers[name], name)
  }
  assert.equal((await send('HEAD', path, anonymous)).status, 401)
  assert.equal((await send('HEAD', '/v1/small')).status, 405)
})

test('without a valid token an endpoint returns 401 and says how to authenticate', async () => {
  for (const authorization of ['', 'Bearer bad', 'Basic Z29vZA==', 'bearer', 'Bearer good bad']) {
    const refused = await send('POST', '/v1/small', {
      headers: { authorization, ...asJson },
      body: 'not even JSON',
    })
    assertError(refused, 401, 'Unauthorised')
    assert.equal(refused.headers['www-authenticate'], 'Bearer')
  }
})

test('a missing scope is named, and one of several alternatives is enough', async () => {
  assertError(await send('PUT', `/v1/partners/${id}`), 403, 'Forbidden', 'The token needs the scope partner.')
  assert.equal((await send('DELETE', `/v1/partners/${id}`)).status, 200)
})

test('an id in a path that is not a uuid returns 400 with its name, together with the faults of the query', async () => {
  const refused = await send('GET', '/v1/partners/17?n=x')
  assertError(refused, 400, 'Validation Failed')
  assert.deepEqual(JSON.parse(refused.text).ErrorMessages, [
    'partnerId must be a uuid.',
    'N must be a whole number.',
  ])
  for (const segment of [
    '%00',
    '%F0%9F%9A%9A',
    '..%2f',
    `${id}%20`,
    `urn:uuid:${id}`,
    '*',
    "'",
    'x'.repeat(199),
  ]) {
    assertError(
      await send('GET', `/v1/partners/${segment}`),
      400,
      'Validation Failed',
      'partnerId must be a uuid.',
    )
  }
})

test('a path that cannot be decoded or is much too long returns 400', async () => {
  for (const segment of ['%', '%zz', '%E0%A4%A', 'x'.repeat(3_000)]) {
    const refused = await send('GET', `/v1/partners/${segment}`)
    assertError(refused, 400, 'Validation Failed')
    assert.ok(refused.headers['x-request-id'])
    assert.equal(refused.headers['x-content-type-options'], 'nosniff')
  }
})

test('a query of arbitrary bytes is read, or refused with the name of the parameter', async () => {
  for (const query of ['N=%', 'N=%00', 'N=%ff', 'N=1&N=2', 'n=1&N=x', `N=${'9'.repeat(500)}`, 'N=', 'N']) {
    assertError(await send('GET', `/v1/partners/${id}?${query}`), 400, 'Validation Failed', /^N must/)
  }
  for (const query of [
    '',
    '&&&',
    '=',
    '__proto__=1&__proto__=2',
    'constructor=x',
    'N[]=1',
    'x=%',
    `x=${'y'.repeat(4_000)}`,
  ]) {
    assert.equal((await send('GET', `/v1/partners/${id}?${query}`)).status, 200, query)
  }
})

test('bytes that are not HTTP get the error body too, and the connection is closed', async () => {
  const start = 'GET /v1/exists HTTP/1.1\r\nHost: x\r\n'
  const broken = [
    'hello\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET /v1/exists HTTP/9.9\r\n\r\n',
    'GET  HTTP/1.1\r\n\r\n',
    `${start}Broken header\r\n\r\n`,
    `${start}A: b\x00c\r\n\r\n`,
    `${start}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`,
    `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `${start}Content-Length: -1\r\n\r\n`,
    'POST /v1/small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET /v1/exists HTTP/1.1\r\n\r\n',
  ]
  for (const bytes of broken) assertError(await raw(Buffer.from(bytes, 'latin1')), 400, 'Validation Failed')
  assertError(
    await raw(`${start}A: ${'b'.repeat(20_000)}\r\n\r\n`),
    431,
    'Validation Failed',
    'The headers of the request are too large.',
  )
  assertError(await raw(`GET /${'b'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431, 'Validation Failed')
})

test('unusual but valid HTTP is served', async () => {
  const head = 'Host: x\r\nAuthorization: Bearer good\r\n'
  const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  assert.equal((await raw(`GET /v1/exists HTTP/1.0\r\nAuthorization: Bearer good\r\n\r\n`)).status, 201)
  assert.equal((await raw(`GET http://elsewhere/v1/exists HTTP/1.1\r\n${head}\r\n`)).status, 201)
  assert.equal(
    (await raw(`GET /v1/exists HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).status,
    201,
  )
  assert.equal((await raw(`POST /v1/small HTTP/1.1\r\n${head}Expect: the-unexpected\r\n${body}`)).status, 200)
  assertError(await raw(`OPTIONS * HTTP/1.1\r\n${head}\r\n`), 404, 'Not Found')
  assertError(await raw(`CONNECT x:443 HTTP/1.1\r\n${head}\r\n`), 404, 'Not Found')
})

test('each kind of response has its status, body and headers', async () => {
  const same = await send('PUT', `/v1/same/${id}`)
  assert.deepEqual(
    [same.status, same.text, same.headers['content-type'], same.headers['content-length']],
    [304, '', undefined, undefined],
  )
  const createdResponse = await send('POST', '/v1/partners?x=1')
  assert.deepEqual(
    [createdResponse.status, createdResponse.headers.location, JSON.parse(createdResponse.text)],
    [201, `/v1/partners/${id}`, { partnerId: id }],
  )
  const exists = await send('GET', '/v1/exists')
  assert.deepEqual([exists.status, exists.text], [201, ''])
  const download = await send('GET', '/v1/file')
  assert.deepEqual(
    [download.status, download.text, download.headers['content-type']],
    [200, '%PDF', 'application/pdf'],
  )
  assert.match(
    String(download.headers['content-disposition']),
    /^attachment; filename="[^\r\n]*"; filename\*=UTF-8''%C3%84rger[^\r\n"]*$/,
  )
  assert.equal(download.headers['content-security-policy'], "default-src 'none'; sandbox")
  assertError(await send('GET', '/v1/conflict'), 409, 'Conflict', 'Taken.')
})

test('a harmless request id is used, any other is replaced', async () => {
  const idOf = async (given?: string) =>
    (await send('GET', '/v1/exists', { headers: given === undefined ? {} : { 'x-request-id': given } }))
      .headers['x-request-id']
  assert.equal(await idOf('order-17:a.b_c'), 'order-17:a.b_c')
  const generated = await Promise.all([
    idOf(),
    idOf('with space'),
    idOf('x'.repeat(101)),
    idOf('"}'),
    idOf(''),
  ])
  for (const text of generated) assert.match(String(text), /^[0-9a-f-]{36}$/)
  assert.equal(new Set(generated).size, generated.length)
})

test('a defect returns 500 with the request id and without its cause, and is logged and counted', async () => {
  logged.length = 0
  const refused = await send('GET', '/v1/defect', { headers: { 'x-request-id': 'trace-me' } })
  assertError(refused, 500, 'Internal Error', 'The service failed. The request id is trace-me.')
  assert.ok(logged.some(line => line.includes('hunter2') && line.includes('trace-me')))
  assert.match((await metrics.text()).body, /^waybill_unexpected_errors_total 1$/m)
})

test('the log has the route, status and caller, but neither token, query nor body', async () => {
  logged.length = 0
  await send('POST', '/v1/small?Secret=query', { headers: asJson, body: '{"content":"confidential"}' })
  const line = JSON.parse(logged.at(-1) as string)
  assert.deepEqual(
    [line.method, line.route, line.status, line.organisationId, line.connectionId],
    ['POST', '/v1/small', 200, 'o', 'c'],
  )
  assert.doesNotMatch(logged.join(''), /good|query|confidential/)
})

test('the log line of a refused request has the IP address, the path and every reason', async () => {
  logged.length = 0
  const refused = await send('GET', '/v1/partners/ada?N=one&N=secret')
  assert.equal(refused.status, 400)
  const line = JSON.parse(logged.at(-1) as string)
  assert.deepEqual(
    [line.level, line.path, line.address, line.messages],
    [30, '/v1/partners/ada', '127.0.0.1', JSON.parse(refused.text).ErrorMessages],
  )
  assert.ok(JSON.parse(refused.text).ErrorMessages.length > 1)
  assert.doesNotMatch(logged.join(''), /secret/)
})

test('hundreds of slow clients do not delay others, and have at most a minute', {
  timeout: 300_000,
}, async t => {
  assert.deepEqual([app.server.requestTimeout, app.server.headersTimeout], [60_000, 60_000])
  const slow: Socket[] = []
  const starts = [
    'GET /v1/exists HTTP/1.1\r\nHost: x\r\n',
    'POST /v1/small HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    '',
  ]
  for (let i = 0; i < 300; i++) {
    const socket = createConnection(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(starts[i % starts.length] as string)
    slow.push(socket)
  }
  const drip = setInterval(() => {
    for (const socket of slow) socket.write('A')
  }, 20)
  t.after(() => {
    clearInterval(drip)
    for (const socket of slow) socket.destroy()
  })
  for (let i = 0; i < 30; i++) assert.equal((await send('GET', '/v1/exists')).status, 201)
})
