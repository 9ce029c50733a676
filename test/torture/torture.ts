// `npm run torture -- --minutes 5`: random operations on stock by many workers, while the service and its
// embedded database are killed again and again; then everything is sent again and held against the ledger.
// Ends with 1 where anything differs, a deadlock is shown to a caller, or a request fails otherwise than by
// 503.

import { rm } from 'node:fs/promises'
import { Command } from 'commander'
import { makeDatabaseFolder } from '../support/database-folder.ts'
import { tortureStock } from '../support/stock-crashes.ts'

const { minutes, workers, killEvery } = new Command('torture')
  .option('--minutes <n>', 'how long', Number, 5)
  .option('--workers <n>', 'how many send at once', Number, 24)
  .option('--kill-every <seconds>', 'how long between two kills, about', Number, 10)
  .parse()
  .opts<{ minutes: number; workers: number; killEvery: number }>()

const dataDir = await makeDatabaseFolder()
const end = Date.now() + minutes * 60_000
const figures = await tortureStock({
  ...{ dataDir, workers, killEvery: killEvery * 1_000 },
  isOver: () => Date.now() > end,
  tell: line => console.log(line),
})
await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
console.log(JSON.stringify(figures, null, 2))
const { differences, faults, deadlocksShown, failures } = figures
const isWrong = differences.length + faults.length + deadlocksShown + Object.keys(failures).length > 0
process.exitCode = isWrong ? 1 : 0
