// A folder in place of a printer: each job becomes a file in it, and a label in ZPL a picture of it besides.
// For trying things out, and for programs that take files.

import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Driver, inWords, type Job, type Outcome } from './driver.ts'
import { syncFolder } from './journal.ts'
import { type PictureResult, picturesOf } from './zpl-pictures.ts'

const zplType = 'application/zpl'
const usualDotsPerMM = 8

/** The folder at `path`, which is made if it is not there. Labels in ZPL are drawn with `dotsPerMM`. */
export function folderPrinter(path: string, dotsPerMM = usualDotsPerMM): Driver {
  async function prepare(): Promise<void> {
    await mkdir(path, { recursive: true })
    await access(path, constants.W_OK)
  }
  return {
    look: () =>
      prepare().then(
        () => ({ isReachable: true }),
        error => ({ isReachable: false, reason: inWords(error) }),
      ),

    async print(job, steps) {
      const base = join(path, baseNameOf(job))
      const target = `${base}.${endings[job.contentType] ?? 'bin'}`
      let drawn: PictureResult = { pictures: [] }
      try {
        await prepare()
        await write(`${target}.part`, job.content)
        if (job.contentType === zplType) drawn = await picturesOf(job.content, dotsPerMM)
      } catch (error) {
        await rm(`${target}.part`, { force: true }).catch(() => {})
        return { kind: 'refused', message: inWords(error) }
      }
      await steps.sending()
      try {
        await rename(`${target}.part`, target)
        await syncFolder(path)
      } catch (error) {
        return { kind: 'in doubt', message: inWords(error) }
      }
      await steps.sent(target)
      return keep(drawn, base)
    },

    recall: async () => ({ kind: 'printed' }),
  }
}

async function write(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Puts pictures beside a label, which is printed whether there are any or not. */
async function keep(drawn: PictureResult, base: string): Promise<Outcome> {
  const without = (why: string): Outcome => ({
    kind: 'printed',
    message: `There is no picture of it: ${why}.`,
  })
  if ('fault' in drawn) return without(drawn.fault)
  try {
    for (const [i, picture] of drawn.pictures.entries()) {
      const path = `${base}${i === 0 ? '' : ` ${i + 1}`}.png`
      await write(`${path}.part`, picture)
      await rename(`${path}.part`, path)
    }
  } catch (error) {
    return without(inWords(error))
  }
  return { kind: 'printed' }
}

const endings: Record<string, string> = { 'application/pdf': 'pdf', [zplType]: 'zpl' }

/** Told from others of the same name by the end of the job's id and its attempt. */
function baseNameOf({ name, printJobId, leaseNumber, copies }: Job): string {
  const plain = name
    .replace(/[/\\:*?"<>|\p{Cc}]/gu, '-')
    .slice(0, 100)
    .trim()
  const often = copies > 1 ? ` ${copies}x` : ''
  return `${plain}${often} ${printJobId.slice(-12)}-${leaseNumber}`
}
