// A folder in place of a printer: each job becomes a file in it. For trying things out, and for programs that
// take files.

import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Driver, inWords, type Job } from './driver.ts'
import { syncFolder } from './journal.ts'

/** The folder at `path`, which is made if it is not there. */
export function folderPrinter(path: string): Driver {
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
      const target = join(path, fileNameOf(job))
      const unfinished = `${target}.part`
      try {
        await prepare()
        const file = await open(unfinished, 'w')
        await file.writeFile(job.content)
        await file.sync()
        await file.close()
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {})
        return { kind: 'refused', message: inWords(error) }
      }
      await steps.sending()
      try {
        await rename(unfinished, target)
        await syncFolder(path)
      } catch (error) {
        return { kind: 'in doubt', message: inWords(error) }
      }
      await steps.sent(target)
      return { kind: 'printed' }
    },

    recall: async () => ({ kind: 'printed' }),
  }
}

const endings: Record<string, string> = { 'application/pdf': 'pdf', 'application/zpl': 'zpl' }

/** Told from others of the same name by the end of the job's id and its attempt. */
function fileNameOf({ name, printJobId, leaseNumber, copies, contentType }: Job): string {
  const plain = name
    .replace(/[/\\:*?"<>|\p{Cc}]/gu, '-')
    .slice(0, 100)
    .trim()
  const often = copies > 1 ? ` ${copies}x` : ''
  return `${plain}${often} ${printJobId.slice(-12)}-${leaseNumber}.${endings[contentType] ?? 'bin'}`
}
