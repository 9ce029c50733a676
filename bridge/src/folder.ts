// A folder instead of a printer: each job becomes a file, with a picture if it is ZPL. For trials, and for
// programs that process files.

import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DeliveryOutcome, type Driver, type Job, messageOf } from './driver.ts'
import { syncFolder } from './journal.ts'
import { drawPictures, type PictureResult } from './zpl-pictures.ts'

const zplType = 'application/zpl'
const defaultDotsPerMM = 8

/**
 * Creates the driver of the folder at `path`, which is created if necessary. `dotsPerMM` is for pictures of
 * ZPL,
 * which `draw` makes.
 */
export function folderPrinter(path: string, dotsPerMM = defaultDotsPerMM, draw = drawPictures): Driver {
  async function prepare(): Promise<void> {
    await mkdir(path, { recursive: true })
    await access(path, constants.W_OK)
  }
  return {
    probe: () =>
      prepare().then(
        () => ({ isReachable: true }),
        error => ({ isReachable: false, reason: messageOf(error) }),
      ),

    async print(job, steps) {
      const base = join(path, baseNameOf(job))
      const target = `${base}.${extensions[job.contentType] ?? 'bin'}`
      let drawn: PictureResult = { pictures: [] }
      try {
        await prepare()
        await write(`${target}.part`, job.content)
        if (job.contentType === zplType) drawn = await draw(job.content, dotsPerMM)
      } catch (error) {
        await rm(`${target}.part`, { force: true }).catch(() => {})
        return { kind: 'refused', message: messageOf(error) }
      }
      await steps.beginSending()
      try {
        await rename(`${target}.part`, target)
        await syncFolder(path)
      } catch (error) {
        return { kind: 'in doubt', message: messageOf(error) }
      }
      await steps.finishSending(target)
      return writePictures(drawn, base)
    },

    findOutcome: async () => ({ kind: 'printed' }),
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

/** Writes the pictures of a job next to it. The job counts as printed even without them. */
async function writePictures(drawn: PictureResult, base: string): Promise<DeliveryOutcome> {
  const withoutPicture = (reason: string): DeliveryOutcome => ({
    kind: 'printed',
    message: `There is no picture of it: ${reason}.`,
  })
  if ('fault' in drawn) return withoutPicture(drawn.fault)
  try {
    for (const [i, picture] of drawn.pictures.entries()) {
      const path = `${base}${i === 0 ? '' : ` ${i + 1}`}.png`
      await write(`${path}.part`, picture)
      await rename(`${path}.part`, path)
    }
  } catch (error) {
    return withoutPicture(messageOf(error))
  }
  return { kind: 'printed' }
}

const extensions: Record<string, string> = { 'application/pdf': 'pdf', [zplType]: 'zpl' }

/** Returns a file name without extension. The end of the job id and the lease number make it unique. */
function baseNameOf({ name, printJobId, leaseNumber, copies }: Job): string {
  const safeName = name
    .replace(/[/\\:*?"<>|\p{Cc}]/gu, '-')
    .slice(0, 100)
    .trim()
  const copiesSuffix = copies > 1 ? ` ${copies}x` : ''
  return `${safeName}${copiesSuffix} ${printJobId.slice(-12)}-${leaseNumber}`
}
