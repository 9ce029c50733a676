// Ways of breaking the order in which stock is used up, what may replace what, and who gets it.

import type { Mutant } from '../mutant.ts'

const rules = 'src/stock/allocation'
const rotated = 'test/stock/allocation/rotation.test.ts'
const found = 'test/stock/allocation/candidates.test.ts'
const chosen = 'test/stock/allocation/allocation.test.ts'
const allocated = 'test/consignments/allocate.test.ts'

export const rotation: Mutant[] = [
  {
    about: 'stock without a date goes first',
    file: `${rules}/rotation.ts`,
    from: 'if (left === null) return 1',
    to: 'if (left === null) return -1',
    tests: [rotated],
  },
  {
    about: 'descending methods go up',
    file: `${rules}/rotation.ts`,
    from: 'isDescending ? compareTexts(right, left) : compareTexts(left, right)',
    to: 'compareTexts(left, right)',
    tests: [rotated],
  },
  {
    about: 'LIFO is FIFO',
    file: `${rules}/rotation.ts`,
    from: '? -received : received',
    to: '? received : received',
    tests: [rotated],
  },
  {
    about: 'batches go by the alphabet',
    file: `${rules}/rotation.ts`,
    from: 'Buffer.compare(Buffer.from(left), Buffer.from(right))',
    to: 'left.localeCompare(right)',
    tests: [rotated],
  },
  {
    about: 'the second method goes before the first',
    file: `${rules}/rotation.ts`,
    from: `compareBy(rules.rotationMethod, a, b) ||
    compareBy(rules.rotationMethodSecondary, a, b) ||`,
    to: `compareBy(rules.rotationMethodSecondary, a, b) ||
    compareBy(rules.rotationMethod, a, b) ||`,
    tests: [rotated],
  },
  {
    about: 'the database takes sell by dates for packaging dates',
    file: 'migrations/014-stock.sql',
    from: `when 4 then sell_by
    when 5 then packaging`,
    to: `when 4 then packaging
    when 5 then sell_by`,
    tests: [found],
  },
  {
    about: 'the database goes up by descending methods',
    file: 'migrations/014-stock.sql',
    from: '* (1 - 2 * (method % 2))',
    to: '',
    tests: [found],
  },
  {
    about: 'the database takes what came last first by FIFO',
    file: `${rules}/stock-criteria.ts`,
    from: '(3 - 2 * c.depletion)',
    to: '(2 * c.depletion - 3)',
    tests: [found],
  },
  {
    about: 'the index gives stock without a date first by descending methods',
    file: `${rules}/stock-criteria.ts`,
    from: "'' : ' nulls last'",
    to: "'' : ''",
    tests: [found],
  },
  {
    about: 'the index gives what came last first by FIFO',
    file: `${rules}/stock-criteria.ts`,
    from: "isLIFO ? ' desc' : ''",
    to: "isLIFO ? '' : ' desc'",
    tests: [found],
  },
  {
    about: 'stock expires on its expiry date',
    file: `${rules}/substitution.ts`,
    from: 'expiryDate !== null && expiryDate < today',
    to: 'expiryDate !== null && expiryDate <= today',
    tests: [found],
  },
  {
    about: 'the database takes stock as expired on its expiry date',
    file: `${rules}/stock-criteria.ts`,
    from: 'p.expiry_date >= c.today or c."requiresUnit"',
    to: 'p.expiry_date > c.today or c."requiresUnit"',
    tests: [found],
  },
  {
    about: 'a line that asks nothing gets expired stock',
    file: `${rules}/stock-criteria.ts`,
    from: '`(p.expiry_date is null or p.expiry_date >= c.today)`',
    to: '`true`',
    tests: [allocated],
  },
  {
    about: 'stock becomes critical a day late',
    file: `${rules}/substitution.ts`,
    from: 'date <= dayAfter(today, days)',
    to: 'date < dayAfter(today, days)',
    tests: [found],
  },
  {
    about: 'the database looks for batches in their case',
    file: `${rules}/stock-criteria.ts`,
    from: "'lower(p.batch)'",
    to: "'p.batch'",
    tests: [found],
  },
  {
    about: 'the database looks for attributes in their case',
    file: `${rules}/stock-criteria.ts`,
    from: "lower(h->>'description') = lower(g->>'description')",
    to: "h->>'description' = g->>'description'",
    tests: [found],
  },
  {
    about: 'what must be as asked is only a wish',
    file: `${rules}/stock-criteria.ts`,
    from: '[requiredKey(field), isRequired ? value : null]',
    to: '[requiredKey(field), null]',
    tests: [found],
  },
  {
    about: 'a product is rotated as its client says, whatever it says itself',
    file: `${rules}/outward-lines.ts`,
    from: 'coalesce(d.rotation_method, k.rotation_method)',
    to: 'coalesce(k.rotation_method, d.rotation_method)',
    tests: [allocated],
  },
]

export const allocation: Mutant[] = [
  {
    about: 'a rotation group is cut in two',
    file: `${rules}/candidates.ts`,
    from: 'fetch first (c.size) rows with ties',
    to: 'fetch first (c.size) rows only',
    tests: [found],
  },
  {
    about: 'candidates are looked for once, enough or not',
    file: `${rules}/candidates.ts`,
    from: 'found.length >= size && availableIn(found) < demand',
    to: 'found.length > size && availableIn(found) < demand',
    tests: [found],
  },
  {
    about: 'a class forgets what others of its product take',
    file: `${rules}/candidates.ts`,
    from: '(demands.get(productKeyOf(line)) ?? 0n) + quantity',
    to: 'quantity',
    tests: [allocated],
  },
  {
    about: 'stock in an inactive location is taken',
    file: `${rules}/candidates.ts`,
    from: 'candidates: found.filter(({ isLocationActive }) => isLocationActive)',
    to: 'candidates: found',
    tests: [allocated],
  },
  {
    about: 'a unit is whole though some of it is promised',
    file: `${rules}/candidates.ts`,
    from: 'p.logistic_unit_id is not null and p.available_quantity = p.on_hand_quantity',
    to: 'p.logistic_unit_id is not null',
    tests: [found],
  },
  {
    about: 'a unit that held something else once is never whole again',
    file: `${rules}/candidates.ts`,
    from: 'and o.id <> p.id and not o.is_depleted',
    to: 'and o.id <> p.id',
    tests: [found],
  },
  {
    about: 'a unit that is exactly what is wanted does not fit',
    file: `${rules}/allocation.ts`,
    from: 'isWhole(entry) && entry.stock.left <= wanted',
    to: 'isWhole(entry) && entry.stock.left < wanted',
    tests: [chosen],
  },
  {
    about: 'a unit from which a line took some is whole for the next',
    file: `${rules}/allocation.ts`,
    from: 'candidate.isWholeUnit && stock.left === candidate.available',
    to: 'candidate.isWholeUnit',
    tests: [chosen],
  },
  {
    about: 'what others took since leaves the order as it was',
    file: `${rules}/allocation.ts`,
    from: 'if (classState.sortedAt !== this.#takes)',
    to: 'if (false)',
    tests: [chosen],
  },
  {
    about: 'other stock stands in for a serial that may not be replaced',
    file: `${rules}/allocation.ts`,
    from: 'Math.max(0, demand.requiredSerials - serials)',
    to: '0',
    tests: [chosen],
  },
  {
    about: 'a serial goes to two lines',
    file: `${rules}/allocation.ts`,
    from: 'this.#taken.has(itemId) || ',
    to: '',
    tests: [chosen],
  },
  {
    about: 'larger rows go first',
    file: `${rules}/allocation.ts`,
    from: 'compareNumbers(a.stock.left, b.stock.left)',
    to: 'compareNumbers(b.stock.left, a.stock.left)',
    tests: [chosen],
  },
  {
    about: 'who has no walking order goes first',
    file: `${rules}/allocation.ts`,
    from: 'compareNumbers(a.candidate.walkingOrder ?? Infinity, b.candidate.walkingOrder ?? Infinity)',
    to: 'compareNumbers(a.candidate.walkingOrder ?? 0, b.candidate.walkingOrder ?? 0)',
    tests: [chosen],
  },
  {
    about: 'the lowest priority goes first',
    file: `${rules}/allocate-lines.ts`,
    from: 'b.priority - a.priority',
    to: 'a.priority - b.priority',
    tests: [allocated],
  },
  {
    about: 'what nobody expects to leave goes first',
    file: `${rules}/allocate-lines.ts`,
    from: "[a.expectedDispatchDateTime ?? '~', b.expectedDispatchDateTime ?? '~']",
    to: "[a.expectedDispatchDateTime ?? '', b.expectedDispatchDateTime ?? '']",
    tests: [allocated],
  },
  {
    about: 'a line that could have anything takes what another must have',
    file: `${rules}/allocate-lines.ts`,
    from: 'Number(inflexible.has(b)) - Number(inflexible.has(a)) ||',
    to: '',
    tests: [allocated],
  },
  {
    about: 'a serial that is promised to another line is free',
    file: `${rules}/requested-serials.ts`,
    from: 'p.id is not null and a.id is null as is_free',
    to: 'p.id is not null as is_free',
    tests: [allocated],
  },
  {
    about: 'what one part releases the next releases again',
    file: `${rules}/release-lines.ts`,
    from: 'matching.reduce((sum, part) => sum + part.quantity, 0n)',
    to: 'matching.reduce((sum, part) => sum + part.allocation.quantity, 0n)',
    tests: [allocated],
  },
  {
    about: 'what was promised first is released first',
    file: `${rules}/release-lines.ts`,
    from: 'order by a.created_utc desc, a.id desc',
    to: 'order by a.created_utc, a.id',
    tests: [allocated],
  },
]
