// Ways of breaking back-tests: what is compared, what is kept, what is billed of it.

import type { Mutant } from '../mutant.ts'

const folder = 'src/billing/rate-card-back-tests'
const tests = ['test/billing/rate-card-back-tests/back-tests.test.ts']
const ofStorage = ['test/billing/rate-card-back-tests/back-tests-of-storage.test.ts']

export const backTests: Mutant[] = [
  {
    about: 'the version in force is tried with the raise and localities of now',
    file: `${folder}/compare.ts`,
    from: 'const isAsBilled = derived.evaluation !== null && consignment.versionId === version.id',
    to: 'const isAsBilled = false',
    tests,
  },
  {
    about: 'control is content with any bill',
    file: `${folder}/compare.ts`,
    from: 'charges.every(({ row }, i) => billed[i] === row.amount)',
    to: 'true',
    tests,
  },
  {
    about: 'what was left out is charged by the tested card',
    file: `${folder}/compare.ts`,
    from: 'if (leftOut.size > 0 && leftOut.has(',
    to: 'if (false && leftOut.has(',
    tests,
  },
  {
    about: 'what was left out is left out although the tested card has no such charge',
    file: `${folder}/compare.ts`,
    from: '.filter(({ rateChargeId }) => this.#testedIds.has(rateChargeId))',
    to: '',
    tests,
  },
  {
    about: 'kinds that nobody asked for are compared',
    file: `${folder}/compare.ts`,
    from: 'if (!this.#tested.kinds.has(rate.kind)) continue',
    to: '',
    tests,
  },
  {
    about: 'small differences come first',
    file: `${folder}/compare.ts`,
    from: 'return first < second ? 1 : -1',
    to: 'return first < second ? -1 : 1',
    tests,
  },
  {
    about: 'a consignment that was adjusted is adjusted again',
    file: `${folder}/adjust.ts`,
    from: 'when d.adjustments <> (',
    to: 'when -1 = (',
    tests,
  },
  {
    about: 'a consignment that was reopened is adjusted',
    file: `${folder}/adjust.ts`,
    from: 'when c.status <> ',
    to: 'when c.status = -9 and c.status <> ',
    tests,
  },
  {
    about: 'what was adjusted does not count as billed',
    file: `${folder}/read-consignments.ts`,
    from: 'and t.rate_card_back_test_id is not null and t.status <>',
    to: 'and t.rate_card_back_test_id is null and t.status =',
    tests,
  },
  {
    about: 'a test that was cancelled is stored all the same',
    file: `${folder}/store-result.ts`,
    from: 'if (held === undefined) return false',
    to: '',
    tests,
  },
  {
    about: 'what a run was told late is not known to a back-test of storage',
    file: `${folder}/compare-storage.ts`,
    from: 'const { knownAt } = runs.at(-1) as StorageRun',
    to: 'const { knownAt } = runs[0] as StorageRun',
    tests: ofStorage,
  },
  {
    about: 'the tested card counts for storage before the tested period too',
    file: `${folder}/compare-storage.ts`,
    from: 'one.from < since ?',
    to: 'false ?',
    tests: ofStorage,
  },
  {
    about: 'the control is content with any bill of storage',
    file: `${folder}/compare-storage.ts`,
    from: '?? 0) !== one.amount) return false',
    to: '?? 0) !== one.amount) return true',
    tests: ofStorage,
  },
  {
    about: 'what goods held before a period is forgotten',
    file: 'src/billing/storage-charges/stock-history.ts',
    from: 'before.quantity = add(before.quantity, line.quantity)',
    to: '',
    tests: ofStorage,
  },
  {
    about: 'a back-test reads no more of the ledger than the bills, though goods are free for longer',
    file: 'src/billing/storage-charges/storage-terms.ts',
    from: 'firstDayOf(terms) - freeDays)',
    to: 'firstDayOf(terms))',
    tests: ofStorage,
  },
  {
    about: 'fees are compared though nobody asked for them',
    file: `${folder}/compare-fees.ts`,
    from: 'kinds.has(RateKind.Periodic)',
    to: 'kinds.size > 0',
    tests: ofStorage,
  },
  {
    about: 'what was entered before there were rate cards is billed a second time',
    file: `${folder}/adjust.ts`,
    from: 'i.evaluator_version = ${noEvaluator}',
    to: 'i.evaluator_version = -1',
    tests: ['test/billing/rate-card-back-tests/back-tests-of-earlier.test.ts'],
  },
  {
    about: 'what a charge takes of all parts is not missing to the next',
    file: 'src/billing/rate-cards/offer.ts',
    from: '(this.#onAll as OnAll).left = this.#pool',
    to: '(this.#onAll as OnAll).left = this.#offer.full',
    tests: ['test/billing/rate-cards/evaluate.test.ts'],
  },
  {
    about: 'a pool that rates share is taken from',
    file: 'src/billing/rate-cards/offer.ts',
    from: 'if (!this.#isOwn) this.#pool = copyOf(this.#pool)',
    to: '',
    tests: ['test/billing/rate-cards/evaluate.test.ts'],
  },
  {
    about: 'charges that measure differently share what was measured',
    file: 'src/billing/rate-cards/compiled-card.ts',
    from: 'JSON.stringify([selectors, measuring]',
    to: 'JSON.stringify([selectors]',
    tests: ['test/billing/rate-cards/evaluate.test.ts'],
  },
  {
    about: 'a draft is billed',
    file: `${folder}/adjust.ts`,
    from: 'if (!test.isApproved)',
    to: 'if (false)',
    tests,
  },
]
