// The rules of what closings froze, beside the charges that follow from it. Like money-rules.ts.

import { raw, sql } from '../../platform/database/db.ts'
import { figuresOfPart } from '../charges/closing-texts.ts'
import { isInScope, type Rule } from './money-rules.ts'

const figures = raw(String(figuresOfPart))

/** Adds up the nth figure of the lines of closing `i`; an unknown one counts 0. */
const totalOf = (nth: number) =>
  sql`coalesce(sum(nullif(f.value, 'x')::numeric) filter (where f.n % ${figures} = ${raw(String(nth))}), 0)`

const totalsAreOfParts: Rule = {
  rule: 'The totals of a closing are those of its lines.',
  broken: scope => sql`
    select i.organisation_id, i.consignment_id as id,
      concat_ws(' ', trim_scale(i.quantity), trim_scale(i.weight_kg), trim_scale(i.volume_m3)) as stored,
      concat_ws(' ', trim_scale(t.quantity), trim_scale(t.weight_kg), trim_scale(t.volume_m3)) as computed
    from charge_input i
    cross join lateral (
      select ${totalOf(1)} as quantity, ${totalOf(2)} as weight_kg, ${totalOf(3)} as volume_m3
      from string_to_table(i.part_figures, ' ') with ordinality f (value, n)
      where f.n <= ${figures} * cardinality(i.line_ids)
    ) t
    where (i.quantity, i.weight_kg, i.volume_m3) <> (t.quantity, t.weight_kg, t.volume_m3)
      ${isInScope(scope, sql`i.organisation_id`, sql`i.charge_date`)}`,
}

const sealsAreIntact: Rule = {
  rule: 'The figures of a closing are those that were sealed when its consignment was Closed.',
  broken: scope => sql`
    select i.organisation_id, i.consignment_id as id, i.seal as stored, closing_seal(i) as computed
    from charge_input i
    where i.seal <> closing_seal(i) ${isInScope(scope, sql`i.organisation_id`, sql`i.charge_date`)}`,
}

/** The rules of closings. */
export const closingRules: readonly Rule[] = [totalsAreOfParts, sealsAreIntact]
