// Mutants of boundaries and guards that are crossed only in unusual cases.

import type { Mutant } from './mutant.ts'

const putAway = 'test/stock/commands/put-away.test.ts'
const xlsx = 'test/reports/xlsx.test.ts'
const misspelt = 'test/process/misspelt-settings.test.ts'

export const boundaries: readonly Mutant[] = [
  {
    about: 'a location that is full of units is suggested without a word',
    file: 'src/stock/commands/put-away.ts',
    from: 'load.units >= l.max_units',
    to: 'load.units > l.max_units',
    tests: [putAway],
  },
  {
    about: 'loose goods count as a unit',
    file: 'src/stock/commands/put-away.ts',
    from: 's.logistic_unit_id is not null and load.units',
    to: 'load.units',
    tests: [putAway],
  },
  {
    about: 'a text that begins with a tab or a carriage return may become a formula',
    file: 'src/reports/report.ts',
    from: '[-=+@\\\\t\\\\r]',
    to: '[-=+@]',
    tests: ['test/reports/csv.test.ts'],
  },
  {
    about: 'a description selects stock that is not locked',
    file: 'src/stock/commands/stock-selector.ts',
    from: 'locked.covers(row) && (',
    to: '(',
    tests: ['test/stock/commands/stock-selector.test.ts'],
  },
  {
    about: 'an entry at the first position that 32 bits cannot hold has no zip64 record',
    file: 'src/reports/zip.ts',
    from: 'entry.offset >= inZip64',
    to: 'entry.offset > inZip64',
    tests: [xlsx],
  },
  {
    about: 'a directory at the first position that 32 bits cannot hold has no zip64 record',
    file: 'src/reports/zip.ts',
    from: 'start >= inZip64',
    to: 'start > inZip64',
    tests: [xlsx],
  },
  {
    about: 'requests are reported when they no longer count',
    file: 'src/platform/limits/permit-pool.ts',
    from: 'maxReportDelayMs = 45_000',
    to: 'maxReportDelayMs = 65_000',
    tests: ['test/platform/limits/shared-limits.test.ts'],
  },
  {
    about: 'two wrong letters are near a short name',
    file: 'src/process/misspelt-settings.ts',
    from: 'setting.length >= 10 ?',
    to: 'setting.length >= 9 ?',
    tests: [misspelt],
  },
  {
    about: 'two wrong letters are near the longest names only',
    file: 'src/process/misspelt-settings.ts',
    from: 'setting.length >= 10 ?',
    to: 'setting.length >= 12 ?',
    tests: [misspelt],
  },
  {
    about: 'three wrong letters are near',
    file: 'src/process/misspelt-settings.ts',
    from: '? 2 : 1',
    to: '? 3 : 1',
    tests: [misspelt],
  },
]
