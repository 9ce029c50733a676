// The dangerous goods declaration of a consignment: the multimodal form of the IMDG Code. Spec 4.2.

import { verificationFailed } from '../../../platform/http/refusal.ts'
import { PrintJobKind } from '../../../vocabulary/paper.ts'
import { documentEndpoints } from '../../document-endpoints.ts'
import { addressLines } from '../addresses.ts'
import { type DangerousGoods, describeFaults, descriptionOf } from '../dg-description.ts'
import { formatSum } from '../document-content.ts'
import { countPackages, type DocumentProduct } from '../document-products.ts'
import { formatFigure, withSoftBreaks } from '../format.ts'
import { words } from '../words.ts'
import {
  type Detail,
  describeContainer,
  formatKilograms,
  readConsignment,
  refuseVoidAndOtherTypes,
} from './consignment-document.ts'
import { type DeclarationData, type DeclaredGoods, declarationColumns } from './dangerous-goods.ts'

const withPackages =
  ({ products }: DeclarationData) =>
  (goods: DeclaredGoods): DangerousGoods => ({
    ...goods,
    packages: countPackages(
      products[goods.productId] as DocumentProduct,
      goods.quantity,
      goods.packageUnitTypeId,
    ),
  })

const rowOf = (
  goods: DangerousGoods & { cubeM3?: number | null },
  country: string | null,
  marks: string,
) => ({
  marks,
  description: withSoftBreaks(descriptionOf(goods, country)),
  gross: formatFigure(goods.grossKG) ?? '',
  cube: formatFigure(goods.cubeM3) ?? '',
})

/** The contents of the boxes of the form. */
function formOf(c: Detail, found: DeclarationData, organisationName: string) {
  const { goods, emergencyPhone, country, warehouseAddress } = found
  const addressBox = (lines: readonly string[]) => lines.slice(0, 6).map(line => withSoftBreaks(line))
  const box = (text: string | null | undefined) => withSoftBreaks(text ?? '')
  return {
    words: words.dg.form,
    shipper: addressBox([
      c.client.name,
      ...addressLines(c.originAddress ?? (warehouseAddress as Detail['originAddress'])),
    ]),
    shippersReference: box(c.referenceNumber),
    emergencyPhone: box(emergencyPhone),
    forwardersReference: box(c.carrierReference),
    consignee: addressBox(addressLines(c.destinationAddress, c.destinationAddressAttention)),
    carrier: box(c.carrier?.name),
    handling: [...new Set(goods.flatMap(({ hazchem }) => (hazchem ? [words.dg.hazchem(hazchem)] : [])))].join(
      ', ',
    ),
    vessel: box([c.containerVesselName, c.containerVoyage].filter(Boolean).join(', ')),
    loadPort: box(c.loadShippingPortCode),
    dischargePort: box(c.dischargeShippingPortCode),
    destination: box([c.destinationAddress?.city, c.destinationAddress?.country].filter(Boolean).join(', ')),
    container: box(c.containerNumber),
    seal: box(c.containerSealNumber),
    containerKind: describeContainer(c),
    tare: formatKilograms(c.containerTareWeightKG) ?? '',
    gross: formatKilograms(c.containerGrossWeightKG) ?? '',
    packer: box(organisationName),
    company: box(c.client.name),
    rows: goods.map((item, i) =>
      rowOf(
        { ...withPackages(found)(item), cubeM3: item.cubeM3 },
        country,
        i === 0 ? box(c.referenceNumber) : '',
      ),
    ),
    totalGross: formatSum(goods, ({ grossKG }) => grossKG) ?? '',
    // A sum of the known ones would be read as that of all.
    totalCube: goods.some(({ cubeM3 }) => cubeM3 === null)
      ? ''
      : (formatSum(goods, ({ cubeM3 }) => cubeM3) ?? ''),
  }
}

export const dgDeclarationPdf = documentEndpoints({
  path: '/v1/consignments/:consignmentId/dg-declaration-pdf',
  name: 'DgDeclaration',
  partners: 'all',
  scope: 'consignment.read',
  subject: 'the dangerous goods declaration of a consignment',
  description:
    'The multimodal form of the IMDG Code, for road, rail and sea. Refused (400) if there are no dangerous ' +
    'goods, or if required data are missing, with a sentence for each product. It declares the goods that ' +
    'are allocated, picked or dispatched, with their own weights, and a line without any of these as ' +
    'expected. Until everything is picked and the consignment is ReadyToDispatch, it is marked ' +
    'PROVISIONAL on every page. Packages are counted in the units of the product.',
  isSpecified: true,
  isPrinterInBody: true,
  kind: PrintJobKind.DgDeclaration,
  options: {},
  async read({ db, actor, params }) {
    const { consignment, header, ...found } = await readConsignment<DeclarationData>(
      db,
      actor,
      params.consignmentId as string,
      declarationColumns(actor.organisationId),
    )
    refuseVoidAndOtherTypes(consignment)
    const { goods, country, isProvisional } = found
    const { consignmentNumber } = consignment
    if (goods.length === 0)
      throw verificationFailed(`Consignment ${consignmentNumber} has no dangerous goods.`)
    const refusals = goods.flatMap(item => describeFaults(withPackages(found)(item), country) ?? [])
    if (refusals.length > 0) throw verificationFailed(...new Set(refusals))
    return {
      title: words.titles.dangerousGoods,
      number: consignmentNumber,
      header,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [],
      ...(isProvisional ? { watermark: words.dg.provisional } : {}),
      template: 'dg-declaration',
      more: { form: formOf(consignment, found, header.organisationName) },
    }
  },
})
