// Which texts in printer language set up a printer.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasUniversalExit, setUpCommandsIn } from '../../../src/paper/attached-files/printer-commands.ts'

test('commands that store settings, reset a printer or join it to a network are found, each once', () => {
  const text = '^XA^JUF^JUS^KNdock^KPsecret^NS1^SZ2^SC9600^CC!^XZ~JR~jb~NC001! U1 setvar "ip.addr" "10.0.0.9"'
  assert.deepEqual(setUpCommandsIn(text), [
    ...['^JU', '^KN', '^KP', '^NS', '^SZ', '^SC', '^CC', '~JR', '~JB', '~NC', '! U1'],
  ])
  assert.deepEqual(setUpCommandsIn('^XA^XZ{}{"device.reset":""}'), ['{}{'])
})

test('a command is found although control characters stand within it', () => {
  assert.deepEqual(setUpCommandsIn('^XA^\r\nJ\tUF^XZ'), ['^JU'])
})

test('the commands of labels are not taken for set-up', () => {
  const label =
    '^XA^CI28^PW812^LL1218^LH0,0^PR6^MD10^MNW^MMT^PON^LRN^CF0,30^FO20,20^A0N,40,40^FDJohn & Ko ^FS' +
    '^BY3^BCN,120,Y,N,N^FD>;00395200000000000049^FS^SN001,1,Y^SF###^FS^GFA,8,8,1,FF00FF00^FS^XGR:LOGO.GRF^FS' +
    '~DGR:LOGO.GRF,8,1,FF00FF00^IDR:LOGO.GRF^FS^PQ1^XZ'
  assert.deepEqual(setUpCommandsIn(label), [])
})

test('a PDF with a change of language after its end is noticed', () => {
  assert.equal(hasUniversalExit(Buffer.from('%PDF-1.7\n%%EOF\n')), false)
  assert.equal(hasUniversalExit(Buffer.from('%PDF-1.7\n%%EOF\n\x1b%-12345X@PJL DEFAULT COPIES=99\r\n')), true)
})
