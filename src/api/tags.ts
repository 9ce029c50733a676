// The chapters of the API reference: what the endpoints below each first path segment are for.

/** The descriptions of the chapters, by path segment. */
export const apiTags: Readonly<Record<string, string>> = {
  identity: 'Who the access token acts for.',
  me: 'What a browser app needs at its start.',
  attention: 'What waits for a person: imports, prints, counts, lines that lack stock and more.',
  dashboard: 'What is to be done today, what came and left, and how full the zones are.',
  search: 'Finds records of every kind by what people know of them.',
  'consignment-imports':
    'Requests to create consignments: accepted at once and processed in the background, or held for a ' +
    'decision if a code is unknown.',
  consignments:
    'Goods that arrive, leave or move from point to point: their details, status, routes, containers and ' +
    'history.',
  jobs: 'Wave picks: consignments that are picked together.',
  'rate-card-back-tests':
    'Compares what a rate card would have charged for a past period with what was billed, and bills the ' +
    'difference.',
  'rate-cards':
    'Prices of clients and carriers, from which charges are calculated: rate cards and their versions.',
  'activity-types': 'How activities appear on bills.',
  'storage-charges': 'Charges for storing goods in a warehouse, calculated from the stock ledger.',
  localities: 'Named areas that freight prices depend on.',
  schedules: 'Bills of partners for a period, and which connections have exported them.',
  'schedule-transactions': 'Amounts that are or will be billed, with or without a consignment.',
  'billed-partners': 'What waits to be billed, by client and carrier.',
  'billing-runs': 'Automatic billing: one run for each period of a partner.',
  'faf-profiles':
    'Freight adjustment factors: the fractions by which carriers adjust their freight, with start dates.',
  partners: 'Clients, whose goods are stored, carriers, who move them, and the products of clients.',
  products: 'The products of all clients, with what is in stock.',
  warehouses: 'Warehouses with their zones and locations.',
  inventory: 'Stock: what is where, whose it is, and all its movements.',
  'inventory-items': 'Goods with a serial number, and their history.',
  'logistic-units': 'Pallets, cages and cartons with their own number.',
  scan: 'Finds what a barcode identifies.',
  'stock-counts': 'Counting stock and correcting it by the result, while work continues.',
  'dg-hazard-classes': 'Hazard classes of dangerous goods by transport standard, with their categories.',
  'shipping-ports': 'Seaports by UN/LOCODE.',
  'tax-rates': 'Tax rates of the organisation.',
  'service-types': 'Freight services that consignments are sent by.',
  'task-types': 'Types of work that consignments need.',
  'package-types': 'Types of packages.',
  'consumable-types': 'Types of consumed material.',
  'unit-types': 'Units in which products are counted.',
  'product-groups': 'Groups of products.',
  'product-attributes': 'Attributes of products.',
  'cost-centres': 'Cost centres that charges are booked to.',
  'revenue-accounts': 'Revenue accounts that charges are booked to.',
  printers: 'Printers of the warehouses: what they print, and whether they can be reached.',
  'printer-bridges':
    'Programs in the warehouses that fetch print jobs and send them to printers, and the printers that ' +
    'they offer.',
  'print-jobs': 'Print jobs: done, waiting and failed; retrying and cancelling them.',
  reports:
    'Reports about stock and work as JSON, CSV or Excel. Each reads a single snapshot of the database.',
  'webhook-subscriptions': 'Who is notified of which events, and all delivery attempts.',
  events: 'What happened in the organisation, numbered without gaps.',
  organisation: 'Settings of the organisation.',
  users: 'The users of the organisation.',
  'custom-apps': 'The integrations of the organisation, with their scopes and secrets.',
}

/** The groups of chapters in the API reference, by what one wants to do. */
export const tagGroups: Readonly<Record<string, readonly string[]>> = {
  Move: ['attention', 'dashboard', 'search', 'consignment-imports', 'consignments', 'jobs'],
  Store: ['inventory', 'inventory-items', 'logistic-units', 'scan', 'stock-counts', 'reports'],
  Bill: [
    ...['rate-cards', 'activity-types', 'localities', 'faf-profiles', 'storage-charges', 'schedules'],
    ...['schedule-transactions', 'billed-partners', 'billing-runs', 'rate-card-back-tests'],
  ],
  Print: ['print-jobs', 'printers', 'printer-bridges'],
  'Set up': [
    ...[
      'organisation',
      'users',
      'partners',
      'products',
      'warehouses',
      'service-types',
      'task-types',
      'package-types',
    ],
    ...['consumable-types', 'unit-types', 'product-groups', 'product-attributes', 'cost-centres'],
    ...['revenue-accounts', 'tax-rates', 'dg-hazard-classes', 'shipping-ports'],
  ],
  Connect: ['identity', 'me', 'custom-apps', 'webhook-subscriptions', 'events'],
}
