// What each column and field of a paper or a label tells the truth of, by the file that makes it, and the
// table of that in the API document. One in two lists tells the former until goods came or left, and the
// latter from then on. A test fails for a word without a truth.

import { words } from '../paper/documents/words.ts'
import { type Truth, truths } from './truths.ts'

/** The words of a part of papers, by the truth that they tell. */
interface PaperTruths {
  /** what the table calls them */
  title: string
  truths: Readonly<Partial<Record<Truth, string>>>
}

export const paperTruths: Readonly<Record<string, PaperTruths>> = {
  'documents/consignments/consignment-document.ts': {
    title: 'Papers of consignments',
    truths: {
      ordered: `
        fields.reference fields.poNumber fields.soNumber fields.sendersReference fields.receiversReference
        fields.externalId fields.serviceTypes fields.authorityToLeave fields.container fields.containerKind
        fields.seal fields.tare fields.gross fields.vessel fields.voyage fields.loadPort
        fields.dischargePort fields.yard fields.entered fields.expectedArrival fields.expectedDispatch
        fields.expectedDelivery parties.deliverTo instructions.notes`,
      happened: 'fields.received fields.dispatched fields.trackingNumbers fields.carrier',
      now: 'fields.carrier fields.carrierReference fields.carrierRun',
    },
  },
  'documents/consignments/detail-pdf.ts': {
    title: 'Consignment',
    truths: {
      ordered: `
        dates.batch dates.bestBefore dates.expiry dates.packaging dates.production dates.sellBy
        instructions.delivery instructions.picking columns.expected columns.package columns.weight
        columns.volume`,
      happened: `
        columns.at columns.consumable columns.link columns.signatory columns.task columns.value
        columns.received columns.dispatched columns.weight columns.volume columns.product fields.client
        fields.warehouse tables.consumables tables.pods tables.tasks`,
      now: `
        columns.allocated columns.picked columns.short columns.product fields.client fields.priority
        fields.status fields.type fields.warehouse tables.products`,
    },
  },
  'documents/consignments/picking-list-pdf.ts': {
    title: 'Picking list',
    truths: {
      ordered: 'fields.expectedDispatch fields.serviceTypes instructions.delivery instructions.picking',
      now: `
        columns.batch columns.product columns.quantity fields.carrier fields.client fields.priority
        fields.status fields.warehouse tables.picked tables.short`,
    },
  },
  'documents/picks.ts': {
    title: 'Rows of picking lists',
    truths: {
      now: `
        columns.batch columns.date columns.location columns.pallet columns.product columns.quantity
        columns.short columns.tick dates.bestBefore dates.expiry dates.packaging dates.production
        dates.received dates.sellBy fields.lines fields.palletsToPick fields.weight`,
    },
  },
  'documents/jobs/wave-pick/picking-list-pdf.ts': {
    title: 'Wave pick list',
    truths: {
      ordered: `
        fields.due fields.reference instructions.delivery instructions.notes parties.deliverTo`,
      now: `
        columns.batch columns.product columns.quantity columns.short columns.tick fields.client
        fields.consignments fields.priority fields.style fields.warehouse tables.distribution`,
    },
  },
  'documents/consignments/receipt-confirmation-pdf.ts': {
    title: 'Receipt confirmation',
    truths: {
      ordered: `
        columns.expected fields.carrierReference fields.container fields.expectedArrival fields.gross
        fields.seal columns.dateCode dates.batch`,
      happened: `
        columns.batch columns.location columns.over columns.product columns.received columns.short
        columns.weight dates.batch fields.carrier fields.client fields.received fields.warehouse`,
      now: 'fields.carrier fields.client fields.status fields.warehouse columns.product',
    },
  },
  'documents/consignments/dispatch-confirmation-pdf.ts': {
    title: 'Dispatch confirmation',
    truths: {
      ordered: `
        columns.expected fields.carrierReference fields.container fields.gross fields.seal
        instructions.delivery`,
      happened: `
        columns.batch columns.dispatched columns.noted columns.pallet columns.product columns.quantity
        columns.short columns.volume columns.weight fields.carrier fields.client fields.dispatched
        fields.pallets fields.trackingNumbers fields.warehouse tables.short`,
    },
  },
  'documents/moved-goods.ts': {
    title: 'Dates of goods that came or left',
    truths: {
      happened: 'dates.bestBefore dates.expiry dates.packaging dates.production dates.sellBy',
    },
  },
  'documents/schedules/statement-pdf.ts': {
    title: 'Statement and tax invoice',
    truths: {
      charging: `
        columns.amount columns.consignment columns.date columns.particulars columns.quantity columns.rate
        columns.reference columns.tax`,
      approval: `
        fields.carrier fields.client fields.code fields.date fields.due fields.invoiceNumber
        fields.paymentTerms sums.exclTax sums.tax sums.total`,
      now: 'fields.description fields.reference',
    },
  },
  'labels/pallet-contents.ts': {
    title: 'Pallet label',
    truths: {
      now: `
        CONSIGNMENT FROM TO PRODUCT CONTENT COUNT BEST_BEFORE EXPIRY BATCH/LOT DANGEROUS_GOODS PRODUCTS
        BATCHES`,
    },
  },
}

const keysOf = (list: string): string[] => list.trim().split(/\s+/)

/** A word as it stands on papers; nothing for a column to tick. */
function wordsOf(key: string): string[] {
  const [group, word] = key.split('.') as [keyof typeof words, string | undefined]
  if (word === undefined) return [key.replaceAll('_', ' ')]
  const text: unknown = new Map(Object.entries(words[group])).get(word)
  return typeof text !== 'string' ? [word] : text === '' ? [] : [text]
}

/** The rows of the table, in Markdown. */
export const paperTable = (): string =>
  Object.values(paperTruths)
    .flatMap(({ title, truths: lists }) =>
      Object.entries(lists).map(([truth, list]) => {
        const own = [...new Set(keysOf(list).flatMap(wordsOf))].toSorted()
        return `| ${title} | ${truths[truth as Truth]} | ${own.join(', ')} |`
      }),
    )
    .join('\n')
