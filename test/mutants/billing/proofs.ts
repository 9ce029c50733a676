// Mutants of the proofs of billed amounts, and of the frozen inputs behind them.

import type { Mutant } from '../mutant.ts'

const proofs = 'src/billing/proofs'
const checked = 'test/billing/proofs/check-money.test.ts'
const proved = 'test/billing/proofs/proofs.test.ts'
const ofStorage = 'test/billing/proofs/storage-proofs.test.ts'
const ofRuns = 'test/billing/proofs/proofs-of-runs.test.ts'
const unbilled = 'test/reports/unbilled-work.test.ts'

export const billingProofs: Mutant[] = [
  {
    about: 'the amount is not among the compared figures',
    file: `${proofs}/figures.ts`,
    from: "['charge_rate', 'charge_max', 'faf_percent', 'amount_excl_tax']",
    to: "['charge_rate', 'charge_max', 'faf_percent']",
    tests: [checked],
  },
  {
    about: 'an unknown evaluator version derives like the current one',
    file: `${proofs}/derive-closings.ts`,
    from: 'isKnownEvaluator(consignment.evaluatorVersion)',
    to: 'true',
    tests: [checked, proved],
  },
  {
    about: 'changed content proves what it says now',
    file: 'src/billing/rate-cards/version-cache.ts',
    from: 'if (contentHash(text) !== row.contentSha256)',
    to: 'if (false)',
    tests: [proved],
  },
  {
    about: 'a transaction need not match its charge',
    file: `${proofs}/prove-schedule.ts`,
    from: 'transaction.chargeFigures === null || transaction.chargeFigures === transaction.figures',
    to: 'true',
    tests: [proved],
  },
  {
    about: 'a derived transaction is verified whatever it says',
    file: `${proofs}/prove-schedule.ts`,
    from: 'charge !== undefined && derivedFigures(charge) === transaction.figures',
    to: 'charge !== undefined',
    tests: [proved],
  },
  {
    about: 'an entered amount is not multiplied again',
    file: `${proofs}/check-money.ts`,
    from: 'if (computed !== stored)',
    to: 'if (false)',
    tests: [checked],
  },
  {
    about: 'charges of an earlier closing count as billed',
    file: `${proofs}/money-rules.ts`,
    from: 'h.closing_number is null or h.closing_number = latest.number',
    to: 'true',
    tests: [checked],
  },
  {
    about: 'excluded charges count as billed',
    file: `${proofs}/money-rules.ts`,
    from: 'and h.is_included\n',
    to: '\n',
    tests: [checked],
  },
  {
    about: 'a partner can prove the transactions of all partners',
    file: 'src/billing/schedule-transactions/proof.ts',
    from: 'partnerId === null ? empty : sql`and t.partner_id = ${partnerId}`',
    to: 'empty',
    tests: [proved],
  },
  {
    about: 'a partner sees the charges of others in the history',
    file: 'src/consignments/history.ts',
    from: "field !== 'charges'",
    to: 'true',
    tests: ['test/billing/price-visibility.test.ts'],
  },
  {
    about: 'an excluded charge of an open consignment is not reported',
    file: 'src/billing/unbilled-work.ts',
    from: '!charge.isIncluded || Number(charge.amountExclTax) === 0',
    to: 'Number(charge.amountExclTax) === 0',
    tests: [unbilled],
  },
  {
    about: 'a service type that no charge names is not reported',
    file: 'src/billing/unbilled-work.ts',
    from: 'serviceTypeIds.filter(id => !named.has(id))',
    to: '[]',
    tests: [unbilled],
  },
  {
    about: 'a service type that a charge names is reported',
    file: 'src/billing/unbilled-work.ts',
    from: 'serviceTypeIds.filter(id => !named.has(id))',
    to: '[...serviceTypeIds]',
    tests: [unbilled],
  },
  {
    about: 'the margin of freight counts every closing',
    file: 'src/reports/freight-margin.ts',
    from: '        and i.closing_number = h.closing_number))',
    to: '        ))',
    tests: [unbilled],
  },
  {
    about: 'the quantity and rate of storage are not compared',
    file: 'src/billing/storage/derive-storage.ts',
    from: 'transaction.quantity === subtract(charge?.row.metric ?? 0, billed?.quantity ?? 0) &&',
    to: 'true ||',
    tests: [ofStorage],
  },
  {
    about: 'the ledger is read for each transaction of storage',
    file: 'src/billing/storage/derive-storage.ts',
    from: '({ runId, firstNumber }) => `${runId} ${firstNumber}`',
    to: '({ id }) => id',
    tests: [ofStorage],
  },
  {
    about: 'storage that was never billed is not reported',
    file: 'src/billing/storage/storage-sums.ts',
    from: 'return [...sums, ...missing].filter',
    to: 'return sums.filter',
    tests: [ofStorage],
  },
  {
    about: 'a statement does not show the counts before a correction',
    file: 'src/billing/storage/statement-days.ts',
    from: 'before: isCorrection ? toNumber(6, previous) : null',
    to: 'before: null',
    tests: [ofStorage],
  },
  {
    about: 'a minimum-spend transaction is proved by its own amount',
    file: 'src/billing/proofs/derive-periodic-charges.ts',
    from: 'subtract(minimum, wholeOf(2, spentExclTax))',
    to: 'wholeOf(2, transaction.amountExclTax)',
    tests: [ofRuns],
  },
  {
    about: 'a difference of a back-test may be billed twice',
    file: 'src/billing/proofs/money-rules.ts',
    from: '(t.n, t.amount) is distinct from (d.n, d.amount)',
    to: 'false',
    tests: [ofRuns],
  },
  {
    about: 'partners see the rates of the card that a back-test tested',
    file: 'src/billing/schedule-transactions/proof.ts',
    from: 'rates: actor.partnerId === null ? rates : []',
    to: 'rates',
    tests: [ofRuns],
  },
  {
    about: 'texts of closings that differ from their rows are not found',
    file: `${proofs}/money-rules.ts`,
    from: 'where ${joinedTexts(sql`i`)} <> ${joinedTexts(sql`t`)}',
    to: 'where false',
    tests: ['test/billing/charges/closing-texts.test.ts'],
  },
  {
    about: 'amounts are not among the compared texts of closings',
    file: `${proofs}/money-rules.ts`,
    from: ', ${row}.client_amounts, ${row}.carrier_amounts',
    to: '',
    tests: ['test/billing/charges/closing-texts.test.ts'],
  },
  {
    about: 'any percentage of tax is accepted',
    file: `${proofs}/invoice-rules.ts`,
    from: '  percentsAreOfTaxRates,\n',
    to: '',
    tests: ['test/billing/proofs/check-money.test.ts'],
  },
  {
    about: 'any spend of a period is accepted',
    file: `${proofs}/invoice-rules.ts`,
    from: 'r.spent_excl_tax not between s.least and s.most',
    to: 'r.spent_excl_tax > s.most',
    tests: ['test/billing/proofs/proofs-of-runs.test.ts'],
  },
]
