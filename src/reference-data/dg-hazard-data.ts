// The hazard classes and categories of the four dangerous-goods standards, in the order of each standard.
// Spec 2.16.
//
// Written for this project from the published classification schemes: GHS revision 7 as New Zealand and
// Australia apply it, the UN classes of New Zealand's land transport rule of 2005, and the classes and
// divisions of the Australian Dangerous Goods Code. Ids are derived from the codes: never change a code.

import { DgStandard } from '../vocabulary/reference-data.ts'

/** A class with its categories by code. */
export interface HazardClass {
  code: string
  name: string
  categories: readonly (readonly [code: string, name: string])[]
}

type Categories = HazardClass['categories']
const hazardClass = (code: string, name: string, categories: Categories): HazardClass => ({
  code,
  name,
  categories,
})

const categories = (...codes: string[]): Categories => codes.map(code => [code, `Category ${code}`])
const types = (...codes: string[]): Categories => codes.map(code => [code, `Type ${code}`])
const packingGroups = (...codes: string[]): Categories =>
  codes.map(code => [`PG ${code}`, `Packing group ${code}`])
const compatibilityGroups = (division: string, codes: string): Categories =>
  [...codes].map(code => [`${division}${code}`, `${division}${code}, compatibility group ${code}`])

const explosiveDivisions: Categories = [
  ['1.1', 'Division 1.1 Mass explosion hazard'],
  ['1.2', 'Division 1.2 Projection hazard'],
  ['1.3', 'Division 1.3 Fire and minor blast or projection hazard'],
  ['1.4', 'Division 1.4 No significant hazard'],
  ['1.5', 'Division 1.5 Very insensitive, mass explosion hazard'],
  ['1.6', 'Division 1.6 Extremely insensitive, no mass explosion hazard'],
]

// Physical hazards are the same in both countries, except for flammable gases. Codes are chapters of the GHS.
const physicalHazards = (flammableGas: Categories): HazardClass[] => [
  hazardClass('2.1', 'Explosives', [['Unstable', 'Unstable explosive'], ...explosiveDivisions]),
  hazardClass('2.2', 'Flammable gases', flammableGas),
  hazardClass('2.3', 'Aerosols', categories('1', '2', '3')),
  hazardClass('2.4', 'Oxidising gases', categories('1')),
  hazardClass('2.5', 'Gases under pressure', [
    ['Compressed', 'Compressed gas'],
    ['Liquefied', 'Liquefied gas'],
    ['Refrigerated', 'Refrigerated liquefied gas'],
    ['Dissolved', 'Dissolved gas'],
  ]),
  hazardClass('2.6', 'Flammable liquids', categories('1', '2', '3', '4')),
  hazardClass('2.7', 'Flammable solids', categories('1', '2')),
  hazardClass('2.8', 'Self-reactive substances and mixtures', types('A', 'B', 'C', 'D', 'E', 'F', 'G')),
  hazardClass('2.9', 'Pyrophoric liquids', categories('1')),
  hazardClass('2.10', 'Pyrophoric solids', categories('1')),
  hazardClass('2.11', 'Self-heating substances and mixtures', categories('1', '2')),
  hazardClass(
    '2.12',
    'Substances and mixtures which, in contact with water, emit flammable gases',
    categories('1', '2', '3'),
  ),
  hazardClass('2.13', 'Oxidising liquids', categories('1', '2', '3')),
  hazardClass('2.14', 'Oxidising solids', categories('1', '2', '3')),
  hazardClass('2.15', 'Organic peroxides', types('A', 'B', 'C', 'D', 'E', 'F', 'G')),
  hazardClass('2.16', 'Corrosive to metals', categories('1')),
  hazardClass('2.17', 'Desensitised explosives', categories('1', '2', '3', '4')),
]

const flammableGases: Categories = [
  ['1A', 'Category 1A, flammable gas'],
  ['1A-P', 'Category 1A, pyrophoric gas'],
  ['1A-A', 'Category 1A, chemically unstable gas A'],
  ['1A-B', 'Category 1A, chemically unstable gas B'],
  ['1B', 'Category 1B'],
]

const healthHazards = (eye: Categories): HazardClass[] => [
  hazardClass('3.1-O', 'Acute toxicity, oral', categories('1', '2', '3', '4')),
  hazardClass('3.1-D', 'Acute toxicity, dermal', categories('1', '2', '3', '4')),
  hazardClass('3.1-I', 'Acute toxicity, inhalation', categories('1', '2', '3', '4')),
  hazardClass('3.2', 'Skin corrosion or irritation', categories('1', '1A', '1B', '1C', '2')),
  hazardClass('3.3', 'Serious eye damage or eye irritation', eye),
  hazardClass('3.4-R', 'Respiratory sensitisation', categories('1', '1A', '1B')),
  hazardClass('3.4-S', 'Skin sensitisation', categories('1', '1A', '1B')),
  hazardClass('3.5', 'Germ cell mutagenicity', categories('1', '1A', '1B', '2')),
  hazardClass('3.6', 'Carcinogenicity', categories('1', '1A', '1B', '2')),
  hazardClass('3.7', 'Reproductive toxicity', [
    ...categories('1', '1A', '1B', '2'),
    ['L', 'Effects on or via lactation'],
  ]),
  hazardClass('3.8', 'Specific target organ toxicity, single exposure', categories('1', '2', '3')),
  hazardClass('3.9', 'Specific target organ toxicity, repeated exposure', categories('1', '2')),
  hazardClass('3.10', 'Aspiration hazard', categories('1')),
]

const newZealandGhs7 = [
  ...physicalHazards([...flammableGases, ['2', 'Category 2']]),
  ...healthHazards(categories('1', '2')),
  hazardClass('4.1-A', 'Hazardous to the aquatic environment, acute', categories('1')),
  hazardClass('4.1-C', 'Hazardous to the aquatic environment, chronic', categories('1', '2', '3', '4')),
  // New Zealand's own addition to the GHS.
  hazardClass('NZ-T', 'Hazardous to the terrestrial environment', [
    ['Soil', 'Hazardous to soil organisms'],
    ['Vertebrates', 'Hazardous to terrestrial vertebrates'],
    ['Invertebrates', 'Hazardous to terrestrial invertebrates'],
    ['Biocidal', 'Designed for biocidal action'],
  ]),
]

const australiaGhs7 = [
  ...physicalHazards(flammableGases),
  ...healthHazards(categories('1', '2A')),
  // Not part of the work health and safety regulations, but used on labels and safety data sheets.
  hazardClass('4.1-A', 'Hazardous to the aquatic environment, acute', categories('1', '2', '3')),
  hazardClass('4.1-C', 'Hazardous to the aquatic environment, chronic', categories('1', '2', '3', '4')),
  hazardClass('4.2', 'Hazardous to the ozone layer', categories('1')),
]

const radioactive: Categories = [
  ['I-White', 'Category I, white'],
  ['II-Yellow', 'Category II, yellow'],
  ['III-Yellow', 'Category III, yellow'],
  ['Fissile', 'Fissile material'],
  ['Excepted', 'Excepted package'],
]

const newZealandDg2005 = [
  hazardClass('1', 'Class 1 Explosives', explosiveDivisions),
  hazardClass('2', 'Class 2 Gases', [
    ['2.1', 'Division 2.1 Flammable gases'],
    ['2.2', 'Division 2.2 Non-flammable, non-toxic gases'],
    ['2.3', 'Division 2.3 Toxic gases'],
  ]),
  hazardClass('3', 'Class 3 Flammable liquids', packingGroups('I', 'II', 'III')),
  hazardClass('4', 'Class 4 Flammable solids', [
    ['4.1', 'Division 4.1 Flammable solids, self-reactive substances and desensitised explosives'],
    ['4.2', 'Division 4.2 Substances liable to spontaneous combustion'],
    ['4.3', 'Division 4.3 Substances that in contact with water emit flammable gases'],
  ]),
  hazardClass('5', 'Class 5 Oxidising substances and organic peroxides', [
    ['5.1', 'Division 5.1 Oxidising substances'],
    ['5.2', 'Division 5.2 Organic peroxides'],
  ]),
  hazardClass('6', 'Class 6 Toxic and infectious substances', [
    ['6.1', 'Division 6.1 Toxic substances'],
    ['6.2', 'Division 6.2 Infectious substances'],
  ]),
  hazardClass('7', 'Class 7 Radioactive material', radioactive),
  hazardClass('8', 'Class 8 Corrosive substances', packingGroups('I', 'II', 'III')),
  hazardClass('9', 'Class 9 Miscellaneous dangerous substances and articles', packingGroups('II', 'III')),
]

// Gases have no packing groups. Their categories are their physical states.
const gasStates: Categories = [
  ['Compressed', 'Compressed gas'],
  ['Liquefied', 'Liquefied gas'],
  ['Refrigerated', 'Refrigerated liquefied gas'],
  ['Dissolved', 'Dissolved gas'],
  ['Adsorbed', 'Adsorbed gas'],
  ['Aerosol', 'Aerosol'],
]

const australiaAdgCode = [
  hazardClass(
    '1.1',
    'Division 1.1 Explosives, mass explosion hazard',
    compatibilityGroups('1.1', 'ABCDEFGJL'),
  ),
  hazardClass('1.2', 'Division 1.2 Explosives, projection hazard', compatibilityGroups('1.2', 'BCDEFGHJKL')),
  hazardClass(
    '1.3',
    'Division 1.3 Explosives, fire and minor blast or projection hazard',
    compatibilityGroups('1.3', 'CFGHJKL'),
  ),
  hazardClass('1.4', 'Division 1.4 Explosives, no significant hazard', compatibilityGroups('1.4', 'BCDEFGS')),
  hazardClass('1.5', 'Division 1.5 Explosives, very insensitive', compatibilityGroups('1.5', 'D')),
  hazardClass('1.6', 'Division 1.6 Explosives, extremely insensitive', compatibilityGroups('1.6', 'N')),
  hazardClass('2.1', 'Division 2.1 Flammable gases', gasStates),
  hazardClass('2.2', 'Division 2.2 Non-flammable, non-toxic gases', gasStates),
  hazardClass('2.3', 'Division 2.3 Toxic gases', gasStates),
  hazardClass('3', 'Class 3 Flammable liquids', packingGroups('I', 'II', 'III')),
  hazardClass('4.1', 'Division 4.1 Flammable solids', [
    ...packingGroups('I', 'II', 'III'),
    ...types('B', 'C', 'D', 'E', 'F').map(
      ([code, name]) => [`SR ${code}`, `Self-reactive substance, ${name.toLowerCase()}`] as const,
    ),
    ['Polymerising', 'Polymerising substance'],
  ]),
  hazardClass(
    '4.2',
    'Division 4.2 Substances liable to spontaneous combustion',
    packingGroups('I', 'II', 'III'),
  ),
  hazardClass(
    '4.3',
    'Division 4.3 Substances that in contact with water emit flammable gases',
    packingGroups('I', 'II', 'III'),
  ),
  hazardClass('5.1', 'Division 5.1 Oxidising substances', packingGroups('I', 'II', 'III')),
  hazardClass('5.2', 'Division 5.2 Organic peroxides', types('B', 'C', 'D', 'E', 'F')),
  hazardClass('6.1', 'Division 6.1 Toxic substances', packingGroups('I', 'II', 'III')),
  hazardClass('6.2', 'Division 6.2 Infectious substances', [
    ...categories('A', 'B'),
    ['Waste', 'Medical or clinical waste'],
  ]),
  hazardClass('7', 'Class 7 Radioactive material', radioactive),
  hazardClass('8', 'Class 8 Corrosive substances', packingGroups('I', 'II', 'III')),
  hazardClass('9', 'Class 9 Miscellaneous dangerous substances and articles', [
    ...packingGroups('II', 'III'),
    ['Lithium', 'Lithium batteries'],
    ['Environment', 'Environmentally hazardous substance'],
    ['Elevated', 'Elevated temperature substance'],
    ['GMO', 'Genetically modified organism'],
  ]),
]

/** The classes of every standard, by `DgStandard`. */
export const hazardClasses: Readonly<Record<number, readonly HazardClass[]>> = {
  [DgStandard.NewZealand_Ghs7]: newZealandGhs7,
  [DgStandard.Australia_Ghs7]: australiaGhs7,
  [DgStandard.NewZealand_Dg2005]: newZealandDg2005,
  [DgStandard.Australia_AdgCode]: australiaAdgCode,
}
