import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPorts, formatPorts, includesPort, parsePorts } from '../../../src/platform/outgoing/ports.ts'

test('ports are parsed as single ports and ranges, and formatted for a sentence', () => {
  const cases: [text: string, words: string][] = [
    ['443', '443'],
    ['443,8443', '443 or 8443'],
    ['443, 8443 ,9000 - 9099', '443, 8443 or 9000 to 9099'],
    ['1-65535', '1 to 65535'],
    ['7-7', '7'],
  ]
  for (const [text, words] of cases) assert.equal(formatPorts(parsePorts(text) ?? []), words)
  assert.equal(formatPorts(defaultPorts), '443, 8443 or 1024 to 65535')
  for (const text of ['', '0', '65536', '443,', '9-8', 'https', '1-2-3', '4 43', '-5'])
    assert.equal(parsePorts(text), undefined, text)
})

test('a range includes both ends', () => {
  const ports = parsePorts('443,9000-9002') ?? []
  const included = [442, 443, 444, 8999, 9000, 9001, 9002, 9003].filter(port => includesPort(ports, port))
  assert.deepEqual(included, [443, 9000, 9001, 9002])
})
