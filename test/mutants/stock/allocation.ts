// Mutants of rotation, substitution and allocation.

import type { Mutant } from '../mutant.ts'

const rules = 'src/stock/allocation'
const rotated = 'test/stock/allocation/rotation.test.ts'
const found = 'test/stock/allocation/candidates.test.ts'
const chosen = 'test/stock/allocation/allocation.test.ts'
const allocated = 'test/floor/allocate.test.ts'

export const rotation: Mutant[] = [
  {
    about: 'stock without a date goes first in rotation',
    file: `${rules}/rotation.ts`,
    from: 'if (left === null) return 1',
    to: 'if (left === null) return -1',
    tests: [rotated],
  },
  {
    about: 'descending rotation methods sort ascending',
    file: `${rules}/rotation.ts`,
    from: 'isDescending ? compareTexts(right, left) : compareTexts(left, right)',
    to: 'compareTexts(left, right)',
    tests: [rotated],
  },
  {
    about: 'LIFO behaves like FIFO',
    file: `${rules}/rotation.ts`,
    from: '? -received : received',
    to: '? received : received',
    tests: [rotated],
  },
  {
    about: 'batches are compared by locale, not by bytes',
    file: `${rules}/rotation.ts`,
    from: 'Buffer.compare(Buffer.from(left), Buffer.from(right))',
    to: 'left.localeCompare(right)',
    tests: [rotated],
  },
  {
    about: 'the secondary rotation method is applied first',
    file: `${rules}/rotation.ts`,
    from: `compareBy(rules.rotationMethod, a, b) ||
    compareBy(rules.rotationMethodSecondary, a, b) ||`,
    to: `compareBy(rules.rotationMethodSecondary, a, b) ||
    compareBy(rules.rotationMethod, a, b) ||`,
    tests: [rotated],
  },
  {
    about: 'the database confuses sell-by dates with packaging dates',
    file: 'migrations/010-stock.sql',
    from: `when 4 then sell_by
    when 5 then packaging`,
    to: `when 4 then packaging
    when 5 then sell_by`,
    tests: [found],
  },
  {
    about: 'the database sorts descending methods ascending',
    file: 'migrations/010-stock.sql',
    from: '* (1 - 2 * (method % 2))',
    to: '',
    tests: [found],
  },
  {
    about: 'the database takes the latest stock first for FIFO',
    file: `${rules}/stock-criteria.ts`,
    from: '(3 - 2 * c.depletion)',
    to: '(2 * c.depletion - 3)',
    tests: [found],
  },
  {
    about: 'the indexed query sorts stock without a date first for descending methods',
    file: `${rules}/stock-criteria.ts`,
    from: "'' : ' nulls last'",
    to: "'' : ''",
    tests: [found],
  },
  {
    about: 'the indexed query takes the latest stock first for FIFO',
    file: `${rules}/stock-criteria.ts`,
    from: "isLIFO ? ' desc' : ''",
    to: "isLIFO ? '' : ' desc'",
    tests: [found],
  },
  {
    about: 'stock counts as expired on its expiry date',
    file: `${rules}/substitution.ts`,
    from: 'expiryDate !== null && expiryDate < today',
    to: 'expiryDate !== null && expiryDate <= today',
    tests: [found],
  },
  {
    about: 'the database treats stock as expired on its expiry date',
    file: `${rules}/stock-criteria.ts`,
    from: 'p.expiry_date >= c.today or c."requiresUnit"',
    to: 'p.expiry_date > c.today or c."requiresUnit"',
    tests: [found],
  },
  {
    about: 'a line without criteria gets expired stock',
    file: `${rules}/stock-criteria.ts`,
    from: '`(p.expiry_date is null or p.expiry_date >= c.today)`',
    to: '`true`',
    tests: [allocated],
  },
  {
    about: 'stock becomes critical one day late',
    file: `${rules}/substitution.ts`,
    from: 'date <= dayAfter(today, days)',
    to: 'date < dayAfter(today, days)',
    tests: [found],
  },
  {
    about: 'the database compares batches case-sensitively',
    file: `${rules}/stock-criteria.ts`,
    from: "'lower(p.batch)'",
    to: "'p.batch'",
    tests: [found],
  },
  {
    about: 'the database compares attributes case-sensitively',
    file: `${rules}/stock-criteria.ts`,
    from: "lower(h->>'description') = lower(g->>'description')",
    to: "h->>'description' = g->>'description'",
    tests: [found],
  },
  {
    about: 'a required criterion is only a preference',
    file: `${rules}/stock-criteria.ts`,
    from: '[requiredKey(field), isRequired ? value : null]',
    to: '[requiredKey(field), null]',
    tests: [found],
  },
  {
    about: 'the rotation method of the client overrides that of the product',
    file: `${rules}/outbound-lines.ts`,
    from: 'coalesce(d.rotation_method, k.rotation_method)',
    to: 'coalesce(k.rotation_method, d.rotation_method)',
    tests: [allocated],
  },
]

export const allocation: Mutant[] = [
  {
    about: 'selected stock replaces all that a line has',
    file: 'src/floor/allocate.ts',
    from: 'smaller(selected - shortageOf(line), line.allocated)',
    to: 'line.allocated',
    tests: ['test/floor/allocate.test.ts'],
  },
  {
    about: 'an explanation takes the stock of a line for that of others',
    file: `${rules}/stock-if-released.ts`,
    from: 'coalesce(own.quantity, 0)',
    to: '0',
    tests: ['test/floor/allocations.test.ts'],
  },
  {
    about: 'picked goods are listed among those that are to be picked',
    file: 'src/floor/allocations.ts',
    from: 'order by a.is_picked, l.walking_order',
    to: 'order by l.walking_order',
    tests: ['test/floor/allocations.test.ts'],
  },
  {
    about: 'a rotation group is split',
    file: `${rules}/candidates.ts`,
    from: 'fetch first (c.size) rows with ties',
    to: 'fetch first (c.size) rows only',
    tests: [found],
  },
  {
    about: 'the search for candidates is never repeated',
    file: `${rules}/candidates.ts`,
    from: 'found.length >= size && availableIn(found) < demand',
    to: 'found.length > size && availableIn(found) < demand',
    tests: [found],
  },
  {
    about: 'a class ignores the demand of other classes of its product',
    file: `${rules}/candidates.ts`,
    from: '(demands.get(productKeyOf(line)) ?? 0n) + quantity',
    to: 'quantity',
    tests: [allocated],
  },
  {
    about: 'stock in an inactive location is allocated',
    file: `${rules}/candidates.ts`,
    from: 'candidates: found.filter(({ isLocationActive }) => isLocationActive)',
    to: 'candidates: found',
    tests: [allocated],
  },
  {
    about: 'a partly allocated unit counts as whole',
    file: `${rules}/candidates.ts`,
    from: 'p.logistic_unit_id is not null and p.available_quantity = p.on_hand_quantity',
    to: 'p.logistic_unit_id is not null',
    tests: [found],
  },
  {
    about: 'a unit that once held other goods never counts as whole again',
    file: `${rules}/candidates.ts`,
    from: 'and o.id <> p.id and not o.is_depleted',
    to: 'and o.id <> p.id',
    tests: [found],
  },
  {
    about: 'a unit of exactly the needed quantity is not taken whole',
    file: `${rules}/allocation.ts`,
    from: 'isWhole(entry) && entry.stock.left <= wanted',
    to: 'isWhole(entry) && entry.stock.left < wanted',
    tests: [chosen],
  },
  {
    about: 'a unit that a line took goods from counts as whole for the next line',
    file: `${rules}/allocation.ts`,
    from: 'candidate.isWholeUnit && stock.left === candidate.available',
    to: 'candidate.isWholeUnit',
    tests: [chosen],
  },
  {
    about: 'candidates are not sorted again after other classes took stock',
    file: `${rules}/allocation.ts`,
    from: 'if (classState.sortedAt !== this.#takes)',
    to: 'if (false)',
    tests: [chosen],
  },
  {
    about: 'other stock replaces a serial that must not be substituted',
    file: `${rules}/allocation.ts`,
    from: 'Math.max(0, demand.requiredSerials - serials)',
    to: '0',
    tests: [chosen],
  },
  {
    about: 'a serial is allocated to two lines',
    file: `${rules}/allocation.ts`,
    from: 'this.#taken.has(itemId) || ',
    to: '',
    tests: [chosen],
  },
  {
    about: 'rows with more stock go first',
    file: `${rules}/allocation.ts`,
    from: 'compareNumbers(a.stock.left, b.stock.left)',
    to: 'compareNumbers(b.stock.left, a.stock.left)',
    tests: [chosen],
  },
  {
    about: 'locations without a walking order go first',
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
    about: 'consignments without an expected dispatch time go first',
    file: `${rules}/allocate-lines.ts`,
    from: "[a.expectedDispatchDateTime ?? '~', b.expectedDispatchDateTime ?? '~']",
    to: "[a.expectedDispatchDateTime ?? '', b.expectedDispatchDateTime ?? '']",
    tests: [allocated],
  },
  {
    about: 'a line without criteria takes stock that another line requires',
    file: `${rules}/allocate-lines.ts`,
    from: 'Number(inflexible.has(b)) - Number(inflexible.has(a)) ||',
    to: '',
    tests: [allocated],
  },
  {
    about: 'a serial that is allocated to another line counts as free',
    file: `${rules}/requested-serials.ts`,
    from: 'p.id is not null and a.id is null as is_free',
    to: 'p.id is not null as is_free',
    tests: [allocated],
  },
  {
    about: 'two parts of a request release the same allocation',
    file: `${rules}/release-lines.ts`,
    from: 'matching.reduce((sum, part) => sum + part.quantity, 0n)',
    to: 'matching.reduce((sum, part) => sum + part.allocation.quantity, 0n)',
    tests: [allocated],
  },
  {
    about: 'the earliest allocations are released first',
    file: `${rules}/release-lines.ts`,
    from: 'order by a.created_utc desc, a.id desc',
    to: 'order by a.created_utc, a.id',
    tests: [allocated],
  },
]
