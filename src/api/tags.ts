// What the endpoints below each first path segment are for: the chapters of the API reference.

/** By the segment. */
export const apiTags: Readonly<Record<string, string>> = {
  identity: 'Who the access token acts for.',
  'consignment-imports':
    'Consignments that are asked for: accepted at once, created in the background, waiting for a decision ' +
    'where a code is unknown.',
  consignments:
    'Goods that come in, go out or move from point to point: details, status, routes, containers and ' +
    'history.',
  jobs: 'Wave picks: consignments that are picked together.',
  'rate-card-back-tests':
    'What a rate card would have made of a past period, beside what was billed; and billing the difference.',
  'rate-cards':
    'Prices of clients and carriers, by which consignments charge themselves: cards and their versions.',
  'activity-types': 'What activities are called on bills.',
  'storage-charges': 'What goods are charged for lying in a warehouse, derived from the ledger.',
  localities: 'Named areas that freight is priced by.',
  schedules: 'What partners are billed for a period, and which connections have exported it.',
  'schedule-transactions': 'What is or will be billed, of consignments and without one.',
  'billing-runs': 'Bills that are made by themselves: one for each period of a partner.',
  'faf-profiles':
    'Freight adjustment factors: by what fraction carriers adjust their freight, and since when.',
  partners: 'Clients, whose goods are stored, and carriers, who move them; the products of clients.',
  warehouses: 'Warehouses with their zones and locations.',
  inventory: 'Stock: what lies where, whose it is, and every movement of it.',
  'inventory-items': 'Goods that are known by their serial, and their lives.',
  'logistic-units': 'Pallets, cages and cartons with a number of their own.',
  scan: 'What a barcode stands for.',
  'stock-counts': 'Counting what lies where, and putting stock right by it while work goes on.',
  'dg-hazard-classes': 'Hazard classes of dangerous goods by transport standard, with their categories.',
  'shipping-ports': 'Seaports by UN/LOCODE.',
  'tax-rates': 'Tax rates of the organisation.',
  'service-types': 'Freight services that consignments are sent by.',
  'task-types': 'Kinds of work that consignments need.',
  'package-types': 'Kinds of packages.',
  'consumable-types': 'Kinds of material that is used up.',
  'unit-types': 'Units in which products are counted.',
  'product-groups': 'Groups of products.',
  'product-attributes': 'Attributes of products.',
  'cost-centres': 'Cost centres that charges are booked on.',
  'revenue-accounts': 'Revenue accounts that charges are booked on.',
  printers: 'Printers of the warehouses: what goes through them, and whether they can be reached.',
  'printer-bridges':
    'Programs in the warehouses that fetch print jobs and bring them to printers, and the printers to ' +
    'choose from.',
  'print-jobs': 'What is printed, what waits, what has failed; retrying and cancelling.',
  reports: 'What there is and what was done, as JSON, CSV or Excel, each from one moment of the database.',
  'webhook-subscriptions': 'Who is told of which events, and every attempt to tell them.',
  events: 'What happened in the organisation, under numbers without a gap.',
  organisation: 'Settings of the organisation.',
  users: 'The people of the organisation.',
  'custom-apps': 'The integrations of the organisation, and their scopes and secrets.',
}
