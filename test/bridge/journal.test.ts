// The journal of a bridge, its configuration file, and the lock of its state folder.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile, open, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Entry, openJournal } from '../../bridge/src/journal.ts'
import { SettingsError, settingsFrom } from '../../bridge/src/settings.ts'
import { lockState } from '../../bridge/src/state-lock.ts'

const root = mkdtempSync(join(tmpdir(), 'waybill-bridge-'))
after(() => rmSync(root, { recursive: true, force: true }))
const fresh = () => mkdtempSync(join(root, 'state-'))

const entry = (printJobId: string, change: Partial<Entry> = {}): Entry => ({
  printJobId,
  leaseNumber: 1,
  printerName: 'Office',
  since: 1,
  step: 'claimed',
  ...change,
})

test('a reopened journal has the latest entry of each job and lease', async () => {
  const path = join(fresh(), 'journal')
  const journal = await openJournal(path)
  await Promise.all([
    journal.write(entry('a')),
    journal.write(entry('b')),
    journal.write(entry('a', { step: 'sending' })),
    journal.write(entry('a', { leaseNumber: 2 })),
    journal.write(entry('b', { step: 'sent', reference: '7' })),
    journal.remove(entry('a', { leaseNumber: 2 })),
  ])
  await journal.close()
  const again = await openJournal(path)
  assert.deepEqual(again.entries(), [
    entry('a', { step: 'sending' }),
    entry('b', { step: 'sent', reference: '7' }),
  ])
  await again.close()
})

test('entries written while the disk is busy are synced together, in order', async context => {
  const path = join(fresh(), 'journal')
  const handle = await open(path, 'w')
  const syncs = context.mock.method(Object.getPrototypeOf(handle), 'datasync')
  await handle.close()
  const journal = await openJournal(path)
  const jobs = Array.from({ length: 20 }, (_, n) => `job ${n}`)
  await Promise.all(jobs.map(job => journal.write(entry(job))))
  await journal.close()
  assert.deepEqual(
    journal.entries().map(({ printJobId }) => printJobId),
    jobs,
  )
  assert.equal((await readFile(path, 'utf8')).split('\n').length, jobs.length + 1)
  assert.ok(syncs.mock.callCount() <= 2, `${syncs.mock.callCount()} for ${jobs.length} lines`)
})

test('an incomplete last line is ignored', async () => {
  const path = join(fresh(), 'journal')
  const journal = await openJournal(path)
  await journal.write(entry('a'))
  await journal.write(entry('a', { step: 'sending' }))
  await journal.close()
  const { length } = await readFile(path)
  const lineLength = JSON.stringify(entry('a', { step: 'sending' })).length + 1
  for (let cut = 1; cut <= lineLength; cut++) {
    await truncate(path, length - cut)
    const text = await readFile(path)
    const reopened = await openJournal(path)
    assert.deepEqual(reopened.entries(), [entry('a')], `${cut}`)
    await reopened.write(entry('c'))
    assert.equal(reopened.entries().length, 2)
    await reopened.close()
    await writeFile(path, text)
  }
})

test('a journal that is damaged in the middle is refused', async () => {
  const path = join(fresh(), 'journal')
  await appendFile(path, '{"printJobId":"a"\n{}\n')
  await assert.rejects(openJournal(path), /Line 1 of the journal .* is damaged/)
})

test('obsolete lines are removed from the journal', async () => {
  const path = join(fresh(), 'journal')
  const journal = await openJournal(path)
  for (let n = 0; n < 5_200; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => journal.write(entry(`${i % 3}`, { since: n }))))
  await journal.close()
  assert.ok((await readFile(path, 'utf8')).split('\n').length < 500)
})

test('of several bridges on one folder at most one runs, and another can start when it has ended', async () => {
  const folder = fresh()
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => lockState(folder)))
  const holders = attempts.filter(({ status }) => status === 'fulfilled')
  assert.ok(holders.length <= 1)
  for (const holder of holders) if (holder.status === 'fulfilled') await holder.value()
  const release = await lockState(folder)
  await assert.rejects(lockState(folder), /Another bridge \(process \d+\) works with/)
  await release()
  assert.deepEqual(await readdir(folder), [])
})

test('a lock is taken over if its process is dead or its pid is reused', async () => {
  const folder = fresh()
  const release = await lockState(folder)
  const [name = ''] = await readdir(folder)
  const own = JSON.parse(await readFile(join(folder, name), 'utf8'))
  await release()
  await writeFile(join(folder, 'running-dead'), JSON.stringify({ ...own, pid: 2 ** 22 - 1 }))
  if (own.startedAt !== null)
    await writeFile(join(folder, 'running-reused'), JSON.stringify({ ...own, startedAt: '1' }))
  const elsewhere = join(folder, 'running-elsewhere')
  await writeFile(elsewhere, JSON.stringify({ ...own, environment: 'another container' }))
  await assert.rejects(lockState(folder), /Another bridge/)
  // Its heartbeat is too old.
  await utimes(elsewhere, 0, 0)
  await (await lockState(folder))()
  assert.deepEqual(await readdir(folder), [])
})

const file = {
  url: 'https://waybill.example.com/',
  printerBridgeId: 'id',
  clientId: 'client',
  clientSecret: 'secret',
  stateFolder: 'state',
  printers: [
    { name: 'Office', type: 'document', language: 'pdf', uri: 'ipp://10.0.0.5/ipp/print' },
    { name: 'Dock', type: 'label', language: 'zpl', dotsPerMM: 8, uri: 'tcp://10.0.0.6:9100' },
    { name: 'Desk', type: 'document', language: 'pdf', uri: 'lp:Desk', media: ['iso_a4_210x297mm'] },
    { name: 'Files', type: 'document', language: 'pdf', uri: 'folder:printed' },
  ],
}

test('a valid file is read, with folders relative to it', () => {
  const settings = settingsFrom(file, '/srv/bridge')
  assert.deepEqual(
    [settings.url, settings.authUrl, settings.stateFolder],
    ['https://waybill.example.com', 'https://waybill.example.com', '/srv/bridge/state'],
  )
  assert.deepEqual(
    settings.printers.map(({ name, type, language, dotsPerMM }) => [name, type, language, dotsPerMM]),
    [
      ['Office', 2, 1, null],
      ['Dock', 1, 2, 8],
      ['Desk', 2, 1, null],
      ['Files', 2, 1, null],
    ],
  )
  const fromEnvironment = settingsFrom({ ...file, clientSecret: undefined }, '/', { clientSecret: 'other' })
  assert.equal(fromEnvironment.clientSecret, 'other')
  for (const url of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:1'])
    assert.equal(settingsFrom({ ...file, url }, '/').url, url)
  assert.equal(
    settingsFrom({ ...file, url: 'http://wms.lan' }, '/', { allowHttp: true }).url,
    'http://wms.lan',
  )
})

test('all faults of an invalid file are reported together', () => {
  const faults = (content: unknown): string[] => {
    try {
      settingsFrom(content, '/')
      return []
    } catch (error) {
      assert.ok(error instanceof SettingsError)
      return error.message.split('\n')
    }
  }
  assert.deepEqual(faults({ ...file, url: 'http://wms.lan' }), [
    'url must begin with https://, or anybody on the way can read the secret (--allow-http).',
  ])
  const [office, ...others] = file.printers
  assert.deepEqual(faults({ ...file, printers: [{ ...office, type: 'constructor' }, ...others] }), [
    'printers[0].type must be one of label, document.',
  ])
  assert.deepEqual(
    faults({
      ...file,
      clientId: '',
      printers: [
        { name: 'Dock', type: 'labels', language: 'zpl', uri: 'tcp://10.0.0.6' },
        { name: 'dock', type: 'label', language: 'pdf', uri: 'smb://x', media: 'a4' },
      ],
    }),
    [
      'clientId is required: a text.',
      'printers[0].type must be one of label, document.',
      'printers[0].dotsPerMM must be one of 6, 8, 12, 24: 8 are 203 dpi, 12 are 300.',
      'printers[1].media must be a list of names such as iso_a4_210x297mm.',
      'printers[1].uri must begin with ipp://, ipps://, tcp://, lp: or folder:, not smb://x.',
      'printers[1].name is there twice: dock.',
    ],
  )
  assert.ok(faults([]).includes('The file must hold an object.'))
  assert.equal(faults({}).length, 6)
})
