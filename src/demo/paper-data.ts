// Data that makes the papers of the demo interesting: dangerous goods with all that their declaration
// requires, names in other scripts, the details of the organisation on invoices, and faulty pickfaces.

import { hazardCategoryId, hazardClassId } from '../reference-data/load-reference-data.ts'
import { buildSscc } from '../stock/logistic-units/sscc.ts'
import { ContainerSize, ContainerType } from '../vocabulary/consignments.ts'
import { DgStandard } from '../vocabulary/reference-data.ts'

/** The settings of the organisation that its papers show. */
export const paperSettings = {
  address: '14 Verissimo Drive\nMangere\nAuckland 2022\nNew Zealand',
  dgEmergencyPhone: '+64 800 555 112',
  taxNumber: '123-456-789',
  taxName: 'GST',
  paymentTerms: 'Payable within 14 days.',
  paymentTermsDays: 14,
  bankDetails: 'Southern Star Logistics\n12-3456-7890123-00',
}

/** Images in `logos/`, by the API path of their owner. */
export const logos = {
  '/v1/organisation': 'southern-star.png',
  '/v1/partners/KAURI': 'kauri-foods.png',
  '/v1/partners/HARBOUR': 'harbour-electronics.png',
}

const { NewZealand_Dg2005: newZealand, Australia_AdgCode: australia } = DgStandard
const gases = hazardClassId(newZealand, '2')

/** Hazard classes of flammable gases, flammable liquids, and flammable liquids that are also toxic. */
export const hazards = {
  gas: [
    { dgHazardClassId: gases, dgHazardCategoryId: hazardCategoryId(gases, '2.1') },
    { dgHazardClassId: hazardClassId(australia, '2.1') },
  ],
  liquid: [newZealand, australia].map(standard => ({ dgHazardClassId: hazardClassId(standard, '3') })),
  toxicLiquid: [
    { dgHazardClassId: hazardClassId(newZealand, '3') },
    {
      dgHazardClassId: hazardClassId(newZealand, '6'),
      dgHazardCategoryId: hazardCategoryId(hazardClassId(newZealand, '6'), '6.1'),
    },
    { dgHazardClassId: hazardClassId(australia, '3') },
    { dgHazardClassId: hazardClassId(australia, '6.1') },
  ],
}

/** A client whose papers mix two scripts. */
export const teaClient = {
  code: 'JADE',
  name: '北京翡翠茶业有限公司',
  email: 'orders@jadetea.example',
  rotationMethod: 2,
}

const dangerous = { isDangerousGood: true, dgPackagingGroup: 2, dgHazchemEac: '3YE', lengthMM: 400 }

/**
 * Products in addition to those of demo-data.ts. They have no pickface and are only in the scenarios below.
 */
export const paperProducts = [
  {
    client: 'TUSSOCK',
    group: 'Outdoor',
    perCarton: 4,
    body: {
      ...dangerous,
      code: 'TUS-021',
      name: 'Waterproof coating, 5 l',
      weightKG: 6.2,
      volumeM3: 0.008,
      dgUnNumber: '1263',
      dgProperShippingName: 'Paint',
      dgFlashpointDegC: '18',
      dgHazardClasses: hazards.liquid,
      pickInstructions: 'Upright. Bund under every pallet.',
    },
  },
  {
    client: 'TUSSOCK',
    group: 'Outdoor',
    perCarton: 12,
    body: {
      ...dangerous,
      code: 'TUS-022',
      name: 'Insect proofing concentrate, 1 l',
      weightKG: 1.1,
      volumeM3: 0.0015,
      dgUnNumber: '1992',
      dgProperShippingName: 'Flammable liquid, toxic, N.O.S.',
      dgTechnicalName: 'petroleum distillates, permethrin',
      dgMarinePollutant: true,
      dgFlashpointDegC: '21',
      dgHazardClasses: hazards.toxicLiquid,
    },
  },
  {
    client: 'JADE',
    group: 'Food',
    perCarton: 24,
    body: { code: 'JAD-001', name: '茉莉花茶 Jasmine tea, 250 g', weightKG: 0.3, volumeM3: 0.001 },
  },
  {
    client: 'JADE',
    group: 'Food',
    perCarton: 24,
    body: { code: 'JAD-002', name: '乌龙茶 Oolong tea, 250 g', weightKG: 0.3, volumeM3: 0.001 },
  },
]

/** Whole pallets of these products in Auckland, each with its SSCC. */
export const paperRows = [
  { clientCode: 'TUSSOCK', productCode: 'TUS-021', locationName: 'GAS-3', quantity: 160 },
  { clientCode: 'TUSSOCK', productCode: 'TUS-022', locationName: 'GAS-4', quantity: 480 },
  { clientCode: 'JADE', productCode: 'JAD-001', locationName: 'A-09-7', quantity: 960 },
  { clientCode: 'JADE', productCode: 'JAD-002', locationName: 'A-10-2', quantity: 960 },
].map((row, i) => ({ ...row, ssccNumber: buildSscc('9421900', 9_000 + i) }))

/** The SSCC of a pallet of tea. */
export const teaPallet = String(buildSscc('9421900', 9_002))

/** A pickface with a fault, and the stock in it. */
export interface FaultyPickface {
  name: string
  product?: { client: string; code: string }
  minQuantity?: number
  targetQuantity?: number
  stock: { clientCode: string; productCode: string; quantity: number; batch?: string; isExpired?: boolean }[]
  /** goods of other products that a stock count finds in it */
  foundGoods?: { client: string; code: string; quantity: number }[]
}

/** A pickface for each fault that the other pickfaces do not have. */
export const faultyPickfaces: FaultyPickface[] = [
  { name: 'P-21', stock: [] },
  {
    name: 'P-22',
    product: { client: 'HARBOUR', code: 'HAR-004' },
    stock: [{ clientCode: 'HARBOUR', productCode: 'HAR-004', quantity: 12 }],
  },
  {
    name: 'P-23',
    product: { client: 'HARBOUR', code: 'HAR-003' },
    minQuantity: 10,
    targetQuantity: 40,
    stock: [],
    foundGoods: [
      { client: 'HARBOUR', code: 'HAR-006', quantity: 3 },
      { client: 'HARBOUR', code: 'HAR-007', quantity: 5 },
    ],
  },
  {
    name: 'P-24',
    product: { client: 'KAURI', code: 'KAU-003' },
    minQuantity: 10,
    targetQuantity: 40,
    stock: [{ clientCode: 'KAURI', productCode: 'KAU-003', quantity: 9, batch: 'B4', isExpired: true }],
  },
]

/** A consignment with a purpose of its own. */
export interface Scenario {
  type: number
  client: string
  referenceNumber: string
  lines: { productCode: string; quantity: number; packageTypeCode?: string }[]
  carrier?: string
  /** when it was entered; today by default */
  daysAgo?: number
  /** its present status; Pending by default */
  status?: number
  /** additional fields of its import */
  fields?: Record<string, unknown>
}

/** Consignments that go abroad: one is to be picked, and one is ready for a ship. */
export const paperScenarios: Scenario[] = [
  {
    type: 2,
    client: 'JADE',
    referenceNumber: 'PO-BANGKOK',
    lines: [
      { productCode: 'JAD-001', quantity: 48 },
      { productCode: 'JAD-002', quantity: 30 },
    ],
    fields: {
      pickingInstructions: 'Wrap each pallet twice; the paper goes under the wrap.',
      destinationAddress: {
        name: 'บริษัท สยามชา จำกัด',
        streetAddress: '99 ถนนเยาวราช',
        city: 'กรุงเทพมหานคร',
        postCode: '10100',
        country: 'TH',
      },
      notes: [{ note: 'ส่งในเวลาทำการเท่านั้น (office hours only)', displayOnPrintOut: true }],
    },
  },
  {
    type: 2,
    client: 'TUSSOCK',
    referenceNumber: 'PO-DUBAI',
    carrier: 'TSM',
    lines: [
      { productCode: 'TUS-017', quantity: 24, packageTypeCode: 'CAN' },
      { productCode: 'TUS-021', quantity: 40, packageTypeCode: 'DRUM' },
      { productCode: 'TUS-022', quantity: 96, packageTypeCode: 'CAN' },
    ],
    fields: {
      carrierReference: 'TSM-77120',
      containerNumber: 'MSKU1234565',
      containerSize: ContainerSize.TwentyFoot,
      containerType: ContainerType.GeneralPurpose,
      containerSealNumber: 'NZ884213',
      containerTareWeightKG: 2_200,
      containerGrossWeightKG: 2_655,
      containerVesselName: 'MV Tasman Star',
      containerVoyage: '042E',
      loadShippingPortCode: 'NZAKL',
      dischargeShippingPortCode: 'AEJEA',
      destinationAddress: {
        name: 'شركة الصحراء للرحلات',
        streetAddress: 'شارع الشيخ زايد 210',
        city: 'دبي',
        country: 'AE',
      },
    },
  },
]
