// `npm run worlds -- --seed 7 --count 10000`: lives many worlds, and prints the smallest history of each in
// which the service tells an untruth. Exits with 1 if there is one.

import { spawn } from 'node:child_process'
import process from 'node:process'
import { Command } from 'commander'

const { seed, count, untruths } = new Command('worlds')
  .option('--seed <n>', 'the first seed; each world has the next one', Number, 1)
  .option('--count <n>', 'how many worlds', Number, 1_000)
  .option('--untruths <n>', 'stops after so many worlds that are not as they are told', Number, 3)
  .parse()
  .opts<{ seed: number; count: number; untruths: number }>()

const run = spawn(process.execPath, ['test/support/run-tests.ts', 'test/worlds/worlds.test.ts'], {
  env: {
    ...process.env,
    WORLDS_SEED: String(seed),
    WORLDS_COUNT: String(count),
    WORLDS_UNTRUTHS: String(untruths),
    // Thousands of worlds take hours.
    TEST_TIMEOUT_MS: String(2 ** 31 - 1),
  },
  stdio: 'inherit',
})
run.on('exit', code => {
  process.exitCode = code ?? 1
})
