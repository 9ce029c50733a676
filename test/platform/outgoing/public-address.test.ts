// No form of an address reaches the internal network: neither as a literal, nor through a name, nor through a
// name whose address changes. Spec 6.5.

import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { isIPv6 } from 'node:net'
import { test } from 'node:test'
import { guardedConnector } from '../../../src/platform/outgoing/guarded-agent.ts'
import {
  createAddressCheck,
  dnsResolver,
  type OutgoingHttp,
  openOutgoingHttp,
  type Resolve,
} from '../../../src/platform/outgoing/outgoing-http.ts'
import type { Ports } from '../../../src/platform/outgoing/ports.ts'
import { isPublicAddress } from '../../../src/platform/outgoing/public-address.ts'
import { nameServer, receiver, respondWith } from '../../support/receivers.ts'

const publicAddress = '93.184.215.14'

/** Forms of the address of this machine. Without the guard, they reach a listener on it. */
const thisMachine = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0x7F.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '0177.0x0.0.1',
  '0x00007f.0.0.1',
  '127.0.0.1.',
  '0x7f.1.',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '0',
  '0.0.0.0',
  '0x0',
  '00.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
]

const otherInternal = [
  '10.0.0.1',
  '10.255.255.255',
  '0xa000001',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '3232235777',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '0xa9fea9fe',
  '169.254.170.2',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '0.1.2.3',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001::1]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[5f00::1]',
  '[4000::1]',
]

const invalidHosts = [
  '[fe80::1%25lo]',
  '[fe80::1%lo]',
  '[::1%25lo]',
  '256.0.0.1',
  '127.0.0.0.1',
  '1.2.3.4.5',
  '127.0.0.1..',
  'a..example.com',
  'example.com..',
  '[127.0.0.1]',
  '[]',
  'user@127.0.0.1',
  'user:password@127.0.0.1',
  'user:password@hooks.example.com',
  'hooks.example.com@127.0.0.1',
  '127.0.0.1\\@hooks.example.com',
  '',
]

const localNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'printer.local',
  'metadata.google.internal',
  'db',
  'host.docker.internal',
  'ｌocalhost',
  'nas.home.arpa',
]

/** Host names with the addresses that their name server returns. */
const addressesByName: Record<string, string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  'six.example.com': ['::1'],
  'mixed.example.com': [publicAddress, '127.0.0.1'],
  'mixed6.example.com': [publicAddress, '::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'any.example.com': ['0.0.0.0'],
  'any6.example.com': ['::'],
  'metadata.example.com': ['169.254.169.254'],
  'zone.example.com': ['fe80::1%lo'],
  'nonsense.example.com': ['no address'],
}

const resolveNames: Resolve = async host => (addressesByName[host] ?? []).map(entry)

const only = (port: number): Ports => [[port, port]]

function entry(address: string): LookupAddress {
  return { address, family: isIPv6(address) ? 6 : 4 }
}

function post(client: OutgoingHttp, url: string) {
  return client.send({
    url,
    method: 'POST',
    headers: {},
    body: '{}',
    timeoutMs: 3_000,
    maxResponseBytes: 1_000,
    onTooLarge: 'cut',
  })
}

test('no form of an internal address is called, in any of three spellings of its URL', async t => {
  const inside = await receiver(t, respondWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  const options = { allowPrivate: false, ports: only(inside.port), resolve: resolveNames }
  const client = openOutgoingHttp(options)
  t.after(() => client.close())
  const refusalOf = createAddressCheck(options)
  const hosts = [
    ...thisMachine,
    ...otherInternal,
    ...invalidHosts,
    ...localNames,
    ...Object.keys(addressesByName),
  ]
  assert.ok(hosts.length >= 100)
  for (const host of hosts) {
    for (const url of [
      `https://${host}:${inside.port}/x`,
      `https:\\\\${host}:${inside.port}/x`,
      `http://${host}:${inside.port}/x`,
    ]) {
      const response = await post(client, url)
      assert.ok(
        !response.ok && response.kind === 'refused',
        `${url} was not refused: ${JSON.stringify(response)}`,
      )
      assert.doesNotMatch(response.error, /\d\.\d|::|fe80/, url)
      assert.match((await refusalOf(url, 'webhookUrl')) ?? 'null', /^webhookUrl must .*\.$/, url)
    }
  }
  assert.equal(inside.connections(), 0)
})

test('without the guard, the same forms reach this machine, so the listener would have noticed them', async t => {
  const inside = await receiver(t, respondWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  const client = openOutgoingHttp({ allowPrivate: true, resolve: resolveNames })
  t.after(() => client.close())
  const results = await Promise.all(
    [...thisMachine, 'loopback.example.com'].map(host => post(client, `http://${host}:${inside.port}/`)),
  )
  assert.ok(results.filter(response => response.ok).length >= 25, JSON.stringify(results))
  assert.ok(inside.connections() > 0)
})

test('a name that is public when it is checked and internal when it is dialled is not called', async t => {
  const inside = await receiver(t, respondWith('HTTP/1.1 200 OK\r\n\r\n'))
  let asked = 0
  const flipping: Resolve = async () => [entry(asked++ % 2 === 0 ? publicAddress : '127.0.0.1')]
  const options = { allowPrivate: false, ports: only(inside.port), resolve: flipping }
  const client = openOutgoingHttp(options)
  t.after(() => client.close())
  const url = `https://flip.example.com:${inside.port}/`
  assert.equal(await createAddressCheck(options)(url, 'webhookUrl'), null)
  const response = await post(client, url)
  assert.deepEqual([response.ok, !response.ok && response.kind, asked], [false, 'refused', 2])
  assert.equal(inside.connections(), 0)
})

test('a name server that alternates between public and private addresses does not help', async t => {
  const inside = await receiver(t, respondWith('HTTP/1.1 200 OK\r\n\r\n'))
  let asked = 0
  const server = await nameServer(t, () => ({ v4: [asked++ < 2 ? publicAddress : '127.0.0.1'], v6: [] }))
  const options = { allowPrivate: false, ports: only(inside.port), resolve: dnsResolver([server]) }
  const client = openOutgoingHttp(options)
  t.after(() => client.close())
  const url = `https://flip.example.com:${inside.port}/`
  assert.equal(await createAddressCheck(options)(url, 'webhookUrl'), null)
  const response = await post(client, url)
  assert.ok(!response.ok && response.kind === 'refused', JSON.stringify(response))
  assert.equal(inside.connections(), 0)
})

test('a peer that is not public is disconnected before a byte is sent, even if every earlier check passed', async t => {
  let received = 0
  const inside = await receiver(t, socket => socket.on('data', chunk => (received += chunk.length)))
  let checks = 0
  const connect = guardedConnector(
    async () => [entry('127.0.0.1')],
    address => checks++ === 0 || isPublicAddress(address),
  )
  const target = { hostname: 'peer.example.com', protocol: 'http:', port: String(inside.port) }
  const error = await new Promise(resolve => connect(target, (...[failure]) => resolve(failure)))
  assert.ok(error instanceof Error)
  while (inside.open() > 0 || inside.connections() === 0) await new Promise(setImmediate)
  assert.deepEqual([checks, received], [2, 0])
})

test('only permitted ports may be called, and only over https', async () => {
  const refusalOf = createAddressCheck({ allowPrivate: false, resolve: async () => [entry(publicAddress)] })
  for (const port of [80, 22, 444, 1023]) {
    assert.equal(
      await refusalOf(`https://example.com:${port}/`, 'webhookUrl'),
      'webhookUrl must use port 443, 8443 or 1024 to 65535.',
    )
  }
  for (const port of ['', ':443', ':8443', ':1024', ':65535'])
    assert.equal(await refusalOf(`https://example.com${port}/`, 'webhookUrl'), null)
  for (const url of [
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com:443/',
    'https://user@example.com/',
    'https://:password@example.com/',
    'https://user:password@example.com/',
    'data:text/plain,x',
    'example.com',
    '//example.com',
    'javascript:alert(1)',
    'https://example.com/\nhook',
    'https://example.com/hook\r\n',
    'https://exam\tple.com/',
    '',
  ]) {
    assert.match((await refusalOf(url, 'webhookUrl')) ?? '', /^webhookUrl must /, url)
  }
})

test('ordinary public addresses and names are not refused', async () => {
  const refusalOf = createAddressCheck({
    allowPrivate: false,
    resolve: async () => [entry(publicAddress), entry('2606:2800:21f:cb07:6820:80da:af6b:8b2c')],
  })
  for (const host of [
    'example.com',
    'example.com.',
    'EXAMPLE.com:443',
    'münchen.example.com',
    publicAddress,
    '8.8.8.8',
    '[2606:4700:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[2a00:1450:4001::1]',
  ]) {
    assert.equal(await refusalOf(`https://${host}/hook?a=b#c`, 'webhookUrl'), null, host)
  }
})

test('a name that temporarily does not resolve is not refused at creation', async () => {
  const refusalOf = createAddressCheck({
    allowPrivate: false,
    resolve: () => Promise.reject(new Error('SERVFAIL 10.0.0.53')),
  })
  assert.equal(await refusalOf('https://soon.example.com/', 'webhookUrl'), null)
})
