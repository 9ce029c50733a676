// Further names that people search for ports by: English names, and terminals that are better known than
// their port. Spec 2.16.

/** The names of ports other than that in the code list, by UN/LOCODE. */
export const otherPortNames: Readonly<Record<string, readonly string[]>> = {
  AUBNE: ['Port of Brisbane'],
  AUSYD: ['Port Botany', 'Botany Bay'],
  BEANR: ['Antwerp', 'Anvers'],
  BEZEE: ['Zeebruges'],
  CNNGB: ['Ningpo'],
  CNSHA: ['Yangshan'],
  CNTAO: ['Tsingtao'],
  DKCPH: ['Copenhagen'],
  ESSVQ: ['Seville'],
  GRPIR: ['Piraeus'],
  GRSKG: ['Salonica', 'Thessaloniki'],
  INBOM: ['Bombay'],
  INCCU: ['Calcutta'],
  INMAA: ['Madras'],
  ITGOA: ['Genoa'],
  ITLIV: ['Leghorn'],
  ITNAP: ['Naples'],
  ITVCE: ['Venice'],
  MMRGN: ['Rangoon'],
  NLVLI: ['Flushing'],
  NZLYT: ['Port of Lyttelton'],
  NZTRG: ['Port of Tauranga'],
  PTLIS: ['Lisbon'],
  RULED: ['Saint Petersburg', 'Leningrad'],
  SEGOT: ['Gothenburg'],
  VNSGN: ['Saigon'],
}
