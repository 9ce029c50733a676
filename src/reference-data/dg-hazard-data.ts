// The hazard classes and categories of the four dangerous-goods standards, in the order of each standard.
// Spec 2.16.
//
// Written for this project from the published classification schemes: GHS revision 7 as New Zealand and
// Australia apply it, the UN classes of New Zealand's land transport rule of 2005, and the classes and
// divisions of the Australian Dangerous Goods Code. Codes make the ids: never change one.

import { DgStandard } from './enumerations.ts'

/** A class with its categories by code. */
export interface HazardClass {
  code: string
  name: string
  categories: readonly (readonly [code: string, name: string])[]
}

type Categories = HazardClass['categories']
const is = (code: string, name: string, categories: Categories): HazardClass => ({ code, name, categories })

const category = (...codes: string[]): Categories => codes.map(code => [code, `Category ${code}`])
const type = (...codes: string[]): Categories => codes.map(code => [code, `Type ${code}`])
const packingGroup = (...codes: string[]): Categories =>
  codes.map(code => [`PG ${code}`, `Packing group ${code}`])
const compatibilityGroup = (division: string, codes: string): Categories =>
  [...codes].map(code => [`${division}${code}`, `${division}${code}, compatibility group ${code}`])

const explosiveDivisions: Categories = [
  ['1.1', 'Division 1.1 Mass explosion hazard'],
  ['1.2', 'Division 1.2 Projection hazard'],
  ['1.3', 'Division 1.3 Fire and minor blast or projection hazard'],
  ['1.4', 'Division 1.4 No significant hazard'],
  ['1.5', 'Division 1.5 Very insensitive, mass explosion hazard'],
  ['1.6', 'Division 1.6 Extremely insensitive, no mass explosion hazard'],
]

// Physical hazards are the same in both countries except for the flammable gases. Codes are the chapters of
// the GHS.
const physicalHazards = (flammableGas: Categories): HazardClass[] => [
  is('2.1', 'Explosives', [['Unstable', 'Unstable explosive'], ...explosiveDivisions]),
  is('2.2', 'Flammable gases', flammableGas),
  is('2.3', 'Aerosols', category('1', '2', '3')),
  is('2.4', 'Oxidising gases', category('1')),
  is('2.5', 'Gases under pressure', [
    ['Compressed', 'Compressed gas'],
    ['Liquefied', 'Liquefied gas'],
    ['Refrigerated', 'Refrigerated liquefied gas'],
    ['Dissolved', 'Dissolved gas'],
  ]),
  is('2.6', 'Flammable liquids', category('1', '2', '3', '4')),
  is('2.7', 'Flammable solids', category('1', '2')),
  is('2.8', 'Self-reactive substances and mixtures', type('A', 'B', 'C', 'D', 'E', 'F', 'G')),
  is('2.9', 'Pyrophoric liquids', category('1')),
  is('2.10', 'Pyrophoric solids', category('1')),
  is('2.11', 'Self-heating substances and mixtures', category('1', '2')),
  is(
    '2.12',
    'Substances and mixtures which, in contact with water, emit flammable gases',
    category('1', '2', '3'),
  ),
  is('2.13', 'Oxidising liquids', category('1', '2', '3')),
  is('2.14', 'Oxidising solids', category('1', '2', '3')),
  is('2.15', 'Organic peroxides', type('A', 'B', 'C', 'D', 'E', 'F', 'G')),
  is('2.16', 'Corrosive to metals', category('1')),
  is('2.17', 'Desensitised explosives', category('1', '2', '3', '4')),
]

const flammableGases: Categories = [
  ['1A', 'Category 1A, flammable gas'],
  ['1A-P', 'Category 1A, pyrophoric gas'],
  ['1A-A', 'Category 1A, chemically unstable gas A'],
  ['1A-B', 'Category 1A, chemically unstable gas B'],
  ['1B', 'Category 1B'],
]

const healthHazards = (eye: Categories): HazardClass[] => [
  is('3.1-O', 'Acute toxicity, oral', category('1', '2', '3', '4')),
  is('3.1-D', 'Acute toxicity, dermal', category('1', '2', '3', '4')),
  is('3.1-I', 'Acute toxicity, inhalation', category('1', '2', '3', '4')),
  is('3.2', 'Skin corrosion or irritation', category('1', '1A', '1B', '1C', '2')),
  is('3.3', 'Serious eye damage or eye irritation', eye),
  is('3.4-R', 'Respiratory sensitisation', category('1', '1A', '1B')),
  is('3.4-S', 'Skin sensitisation', category('1', '1A', '1B')),
  is('3.5', 'Germ cell mutagenicity', category('1', '1A', '1B', '2')),
  is('3.6', 'Carcinogenicity', category('1', '1A', '1B', '2')),
  is('3.7', 'Reproductive toxicity', [
    ...category('1', '1A', '1B', '2'),
    ['L', 'Effects on or via lactation'],
  ]),
  is('3.8', 'Specific target organ toxicity, single exposure', category('1', '2', '3')),
  is('3.9', 'Specific target organ toxicity, repeated exposure', category('1', '2')),
  is('3.10', 'Aspiration hazard', category('1')),
]

const newZealandGhs7 = [
  ...physicalHazards([...flammableGases, ['2', 'Category 2']]),
  ...healthHazards(category('1', '2')),
  is('4.1-A', 'Hazardous to the aquatic environment, acute', category('1')),
  is('4.1-C', 'Hazardous to the aquatic environment, chronic', category('1', '2', '3', '4')),
  // New Zealand's own addition to the GHS.
  is('NZ-T', 'Hazardous to the terrestrial environment', [
    ['Soil', 'Hazardous to soil organisms'],
    ['Vertebrates', 'Hazardous to terrestrial vertebrates'],
    ['Invertebrates', 'Hazardous to terrestrial invertebrates'],
    ['Biocidal', 'Designed for biocidal action'],
  ]),
]

const australiaGhs7 = [
  ...physicalHazards(flammableGases),
  ...healthHazards(category('1', '2A')),
  // Outside the work health and safety regulations, yet on labels and safety data sheets.
  is('4.1-A', 'Hazardous to the aquatic environment, acute', category('1', '2', '3')),
  is('4.1-C', 'Hazardous to the aquatic environment, chronic', category('1', '2', '3', '4')),
  is('4.2', 'Hazardous to the ozone layer', category('1')),
]

const radioactive: Categories = [
  ['I-White', 'Category I, white'],
  ['II-Yellow', 'Category II, yellow'],
  ['III-Yellow', 'Category III, yellow'],
  ['Fissile', 'Fissile material'],
  ['Excepted', 'Excepted package'],
]

const newZealandDg2005 = [
  is('1', 'Class 1 Explosives', explosiveDivisions),
  is('2', 'Class 2 Gases', [
    ['2.1', 'Division 2.1 Flammable gases'],
    ['2.2', 'Division 2.2 Non-flammable, non-toxic gases'],
    ['2.3', 'Division 2.3 Toxic gases'],
  ]),
  is('3', 'Class 3 Flammable liquids', packingGroup('I', 'II', 'III')),
  is('4', 'Class 4 Flammable solids', [
    ['4.1', 'Division 4.1 Flammable solids, self-reactive substances and desensitised explosives'],
    ['4.2', 'Division 4.2 Substances liable to spontaneous combustion'],
    ['4.3', 'Division 4.3 Substances that in contact with water emit flammable gases'],
  ]),
  is('5', 'Class 5 Oxidising substances and organic peroxides', [
    ['5.1', 'Division 5.1 Oxidising substances'],
    ['5.2', 'Division 5.2 Organic peroxides'],
  ]),
  is('6', 'Class 6 Toxic and infectious substances', [
    ['6.1', 'Division 6.1 Toxic substances'],
    ['6.2', 'Division 6.2 Infectious substances'],
  ]),
  is('7', 'Class 7 Radioactive material', radioactive),
  is('8', 'Class 8 Corrosive substances', packingGroup('I', 'II', 'III')),
  is('9', 'Class 9 Miscellaneous dangerous substances and articles', packingGroup('II', 'III')),
]

// Gases have no packing groups: their physical state tells them apart.
const gasStates: Categories = [
  ['Compressed', 'Compressed gas'],
  ['Liquefied', 'Liquefied gas'],
  ['Refrigerated', 'Refrigerated liquefied gas'],
  ['Dissolved', 'Dissolved gas'],
  ['Adsorbed', 'Adsorbed gas'],
  ['Aerosol', 'Aerosol'],
]

const australiaAdgCode = [
  is('1.1', 'Division 1.1 Explosives, mass explosion hazard', compatibilityGroup('1.1', 'ABCDEFGJL')),
  is('1.2', 'Division 1.2 Explosives, projection hazard', compatibilityGroup('1.2', 'BCDEFGHJKL')),
  is(
    '1.3',
    'Division 1.3 Explosives, fire and minor blast or projection hazard',
    compatibilityGroup('1.3', 'CFGHJKL'),
  ),
  is('1.4', 'Division 1.4 Explosives, no significant hazard', compatibilityGroup('1.4', 'BCDEFGS')),
  is('1.5', 'Division 1.5 Explosives, very insensitive', compatibilityGroup('1.5', 'D')),
  is('1.6', 'Division 1.6 Explosives, extremely insensitive', compatibilityGroup('1.6', 'N')),
  is('2.1', 'Division 2.1 Flammable gases', gasStates),
  is('2.2', 'Division 2.2 Non-flammable, non-toxic gases', gasStates),
  is('2.3', 'Division 2.3 Toxic gases', gasStates),
  is('3', 'Class 3 Flammable liquids', packingGroup('I', 'II', 'III')),
  is('4.1', 'Division 4.1 Flammable solids', [
    ...packingGroup('I', 'II', 'III'),
    ...type('B', 'C', 'D', 'E', 'F').map(
      ([code, name]) => [`SR ${code}`, `Self-reactive substance, ${name.toLowerCase()}`] as const,
    ),
    ['Polymerising', 'Polymerising substance'],
  ]),
  is('4.2', 'Division 4.2 Substances liable to spontaneous combustion', packingGroup('I', 'II', 'III')),
  is(
    '4.3',
    'Division 4.3 Substances that in contact with water emit flammable gases',
    packingGroup('I', 'II', 'III'),
  ),
  is('5.1', 'Division 5.1 Oxidising substances', packingGroup('I', 'II', 'III')),
  is('5.2', 'Division 5.2 Organic peroxides', type('B', 'C', 'D', 'E', 'F')),
  is('6.1', 'Division 6.1 Toxic substances', packingGroup('I', 'II', 'III')),
  is('6.2', 'Division 6.2 Infectious substances', [
    ...category('A', 'B'),
    ['Waste', 'Medical or clinical waste'],
  ]),
  is('7', 'Class 7 Radioactive material', radioactive),
  is('8', 'Class 8 Corrosive substances', packingGroup('I', 'II', 'III')),
  is('9', 'Class 9 Miscellaneous dangerous substances and articles', [
    ...packingGroup('II', 'III'),
    ['Lithium', 'Lithium batteries'],
    ['Environment', 'Environmentally hazardous substance'],
    ['Elevated', 'Elevated temperature substance'],
    ['GMO', 'Genetically modified organism'],
  ]),
]

/** Every class of every standard. */
export const hazardClasses: Readonly<Record<number, readonly HazardClass[]>> = {
  [DgStandard.NewZealand_Ghs7]: newZealandGhs7,
  [DgStandard.Australia_Ghs7]: australiaGhs7,
  [DgStandard.NewZealand_Dg2005]: newZealandDg2005,
  [DgStandard.Australia_AdgCode]: australiaAdgCode,
}
