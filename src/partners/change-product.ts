// Stores what belongs to a product: checks the records that it refers to, and replaces its unit conversions
// and hazard classes as sets. Spec 2.12; decision 8.

import type { Actor } from '../access/actor.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import type { Static } from '../platform/http/schema.ts'
import type { NewProduct, ProductChange } from './product.ts'
import { unitChain } from './unit-conversion.ts'

type Body = Static<typeof NewProduct> | Static<typeof ProductChange>

/** A field of a request that holds the id of a record. */
interface Reference {
  field: string
  id: string | null | undefined
}

/**
 * Throws 400 (Verification Failed) if a body refers to records that do not exist, with one message for each
 * field.
 */
export async function verifyProductReferences(db: Db, actor: Actor, body: Body): Promise<void> {
  const unitTypes: Reference[] = [
    { field: 'unitTypeId', id: body.unitTypeId },
    { field: 'productUnitTypeId', id: body.productUnitTypeId },
    ...(body.unitConversions ?? []).flatMap(({ inputUnitTypeId, outputUnitTypeId }, i) => [
      { field: `unitConversions[${i}].inputUnitTypeId`, id: inputUnitTypeId },
      { field: `unitConversions[${i}].outputUnitTypeId`, id: outputUnitTypeId },
    ]),
  ]
  const groups: Reference[] = [{ field: 'productGroupId', id: body.productGroupId }]
  const hazards = body.dgHazardClasses ?? []
  const classes = hazards.map(({ dgHazardClassId: id }, i) => ({
    field: `dgHazardClasses[${i}].dgHazardClassId`,
    id,
  }))
  const categories = hazards.map(({ dgHazardCategoryId: id }, i) => ({
    field: `dgHazardClasses[${i}].dgHazardCategoryId`,
    id,
  }))
  if ([unitTypes, groups, classes].flat().every(({ id }) => !id)) return

  const existing = await db.row<{
    unitTypes: string[]
    groups: string[]
    classes: string[]
    categories: Record<string, string>
  }>(sql`
    select
      array(
        select id::text from unit_type
        where organisation_id = ${actor.organisationId} and id = any(${idsOf(unitTypes)}::uuid[])
      ) as unit_types,
      array(
        select id::text from product_group
        where organisation_id = ${actor.organisationId} and id = any(${idsOf(groups)}::uuid[])
      ) as groups,
      array(select id::text from dg_hazard_class where id = any(${idsOf(classes)}::uuid[])) as classes,
      (
        select coalesce(jsonb_object_agg(id, dg_hazard_class_id), '{}') from dg_hazard_category
        where id = any(${idsOf(categories)}::uuid[])
      ) as categories`)
  const categoriesOfOtherClasses = categories.filter(({ id }, i) => {
    const classId = hazards[i]?.dgHazardClassId ?? ''
    return id && existing.classes.includes(classId) && existing.categories[id] !== classId
  })
  const faults = [
    ...findUnknown(unitTypes, existing.unitTypes).map(toFault('unit type')),
    ...findUnknown(groups, existing.groups).map(toFault('product group')),
    ...findUnknown(classes, existing.classes).map(toFault('hazard class')),
    ...categoriesOfOtherClasses.map(toFault('category of its hazard class')),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
}

const idsOf = (references: Reference[]) => references.flatMap(({ id }) => (id ? [id] : []))
const findUnknown = (references: Reference[], existingIds: string[]) =>
  references.filter(({ id }) => id && !existingIds.includes(id))
const toFault =
  (noun: string) =>
  ({ field }: Reference) =>
    faultAt(field, `does not refer to a ${noun}`, 'unknown_reference')

/** The key of a product whose row the caller has locked or just inserted. */
export interface ProductKey {
  organisationId: string
  productId: string
}

/** Replaces the unit conversions of a product, in this order. Returns whether anything changed. */
export async function replaceUnitConversions(
  tx: Tx,
  key: ProductKey,
  steps: NonNullable<Body['unitConversions']>,
): Promise<boolean> {
  const { itemConversionRates } = unitChain(steps)
  const rows = steps.map((step, i) => ({
    ordinal: i,
    input_metric_type: step.inputMetricType,
    input_unit_type_id: step.inputUnitTypeId,
    output_metric_type: step.outputMetricType,
    output_unit_type_id: step.outputUnitTypeId,
    conversion_rate: step.conversionRate,
    item_conversion_rate: itemConversionRates[i],
    barcode: step.barcode,
    gtin: step.gtin,
  }))
  const removedCount = await tx.run(sql`
    delete from product_unit_conversion
    where organisation_id = ${key.organisationId} and product_id = ${key.productId}
      and ordinal >= ${rows.length}`)
  const writtenCount = await tx.run(sql`
    insert into product_unit_conversion as stored (organisation_id, product_id, ordinal,
      input_metric_type, input_unit_type_id, output_metric_type, output_unit_type_id,
      conversion_rate, item_conversion_rate, barcode, gtin)
    select ${key.organisationId}, ${key.productId}, ordinal,
      input_metric_type, input_unit_type_id, output_metric_type, output_unit_type_id,
      conversion_rate, item_conversion_rate, barcode, gtin
    from jsonb_populate_recordset(null::product_unit_conversion, ${JSON.stringify(rows)})
    on conflict on constraint product_unit_conversion_pkey do update set
      input_metric_type = excluded.input_metric_type, input_unit_type_id = excluded.input_unit_type_id,
      output_metric_type = excluded.output_metric_type, output_unit_type_id = excluded.output_unit_type_id,
      conversion_rate = excluded.conversion_rate, item_conversion_rate = excluded.item_conversion_rate,
      barcode = excluded.barcode, gtin = excluded.gtin
    where stored is distinct from excluded`)
  return removedCount + writtenCount > 0
}

/** Replaces the hazard classes of a product. Returns whether anything changed. */
export async function replaceHazardClasses(
  tx: Tx,
  key: ProductKey,
  hazards: NonNullable<Body['dgHazardClasses']>,
): Promise<boolean> {
  const rows = hazards.map(({ dgHazardClassId, dgHazardCategoryId }, ordinal) => ({
    dg_hazard_class_id: dgHazardClassId,
    dg_hazard_category_id: dgHazardCategoryId,
    ordinal,
  }))
  const removedCount = await tx.run(sql`
    delete from product_dg_hazard_class
    where organisation_id = ${key.organisationId} and product_id = ${key.productId}
      and dg_hazard_class_id <> all(${hazards.map(hazard => hazard.dgHazardClassId)}::uuid[])`)
  const writtenCount = await tx.run(sql`
    insert into product_dg_hazard_class as stored (organisation_id, product_id, dg_hazard_class_id,
      dg_hazard_category_id, ordinal)
    select ${key.organisationId}, ${key.productId}, dg_hazard_class_id, dg_hazard_category_id, ordinal
    from jsonb_populate_recordset(null::product_dg_hazard_class, ${JSON.stringify(rows)})
    on conflict on constraint product_dg_hazard_class_pkey do update
      set dg_hazard_category_id = excluded.dg_hazard_category_id, ordinal = excluded.ordinal
    where (stored.dg_hazard_category_id, stored.ordinal)
      is distinct from (excluded.dg_hazard_category_id, excluded.ordinal)`)
  return removedCount + writtenCount > 0
}
