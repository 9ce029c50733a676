// `npm run torture -- --minutes 5`: many workers run random stock operations while the service and its
// embedded database are killed repeatedly. Then all operations are sent again and compared with the ledger.
// Exits with 1 if anything differs, if a caller sees a deadlock, or if a request fails with anything other
// than 503.

import { rm } from 'node:fs/promises'
import { Command } from 'commander'
import { makeDatabaseFolder } from '../support/database-folder.ts'
import { tortureStock } from '../support/stock-crashes.ts'

const { minutes, workers, killEvery } = new Command('torture')
  .option('--minutes <n>', 'how long', Number, 5)
  .option('--workers <n>', 'how many workers send concurrently', Number, 24)
  .option('--kill-every <seconds>', 'the approximate time between two kills', Number, 10)
  .parse()
  .opts<{ minutes: number; workers: number; killEvery: number }>()

const dataDir = await makeDatabaseFolder()
const end = Date.now() + minutes * 60_000
const figures = await tortureStock({
  ...{ dataDir, workers, killEvery: killEvery * 1_000 },
  isOver: () => Date.now() > end,
  log: line => console.log(line),
})
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
console.log(JSON.stringify(figures, null, 2))
const { differences, faults, deadlocksShown, failures } = figures
const isWrong = differences.length + faults.length + deadlocksShown + Object.keys(failures).length > 0
process.exitCode = isWrong ? 1 : 0
