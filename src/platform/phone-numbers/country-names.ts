// Countries as people, pickers and other products write them: `Brasil`, `UK`, `BRA`, `+55`, `Brasil (+55)`.

import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { Country } from './country.js';

/** The languages of this product come first, with short names too, such as `EUA`. */
const languages = 'en pt es fr de'.split(' ');
const furtherLanguages =
  'it nl ca pl cs sk hu ro hr bg uk ru el tr sv da nb fi ar fa he hi id ms vi th zh zh-Hant ja ko'.split(' ');

/** Three letters of ISO 3166-1 with the two of the same country: no library here knows them. */
const threeLetters = [
  'ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATGAG AUSAU AUTAT AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD',
  'BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI',
  'CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC',
  'EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM',
  'GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ',
  'ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI',
  'LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP',
  'MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM',
  'PAKPK PANPA PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN',
  'SGPSG SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC',
  'TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA URYUY USAUS UZBUZ VATVA VCTVC',
  'VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW',
];

/** Names that people write, and no list of names has. */
const otherNames: Readonly<Partial<Record<Country, string>>> = {
  CI: 'ivorycoast',
  CZ: 'czechrepublic',
  GB: 'uk greatbritain england scotland wales grabretanha granbretana inglaterra angleterre grandebretagne grossbritannien',
  NL: 'holland holanda hollande',
  TR: 'turkey',
  US: 'unitedstatesofamerica estadosunidosdaamerica estadosunidosdeamerica',
};

/** They stand together: `N/A` is not Namibia. */
const twoLetters = /^[^\p{L}]*\p{L}\.?\p{L}[^\p{L}]*$/u;

let codes: Map<string, Country> | undefined;

/**
 * Finds a country by its two or three letters, its name in one of many languages, or its calling code; undefined for another text. Letter
 * case, accents and signs do not count.
 */
export function countryNamed(written: string): Country | undefined {
  const letters = keyOf(written);
  if (letters === '') return countryOfCallingCode(written.replaceAll(/\D/g, ''));
  const code = letters.toUpperCase();
  if (isSupportedCountry(code) && twoLetters.test(written)) return code;
  codes ??= namesOfCountries();
  return codes.get(letters) ?? withoutRemark(written);
}

/** Reads `Brazil (BR)` and `Brasil (+55)`. */
function withoutRemark(written: string): Country | undefined {
  const name = written.replace(/\([^()]*\)\s*$/, '');
  return name === written || name.trim() === '' ? undefined : countryNamed(name);
}

/** Returns the digits of the calling code of a country, which is written as for `countryNamed`; undefined for another text. */
export function callingCodeNamed(written: string): string | undefined {
  const country = countryNamed(written);
  return country === undefined ? undefined : getCountryCallingCode(country);
}

/** The codes and the written names come first: a name of one language may be those of another country, as Vietnamese `Nga` is Russia. */
function namesOfCountries(): Map<string, Country> {
  const pairs = threeLetters.flatMap((line) => line.split(' '));
  const known = new Map(pairs.map((pair) => [pair.slice(0, 3).toLowerCase(), pair.slice(3) as Country]));
  for (const [code, names] of Object.entries(otherNames))
    for (const name of names.split(' ')) known.set(name, code as Country);
  const names = [
    ...languages.flatMap((language) => namesIn(language, 'short')),
    ...[...languages, ...furtherLanguages].flatMap((language) => namesIn(language, 'long')),
  ];
  for (const [name, code] of names) if (!known.has(name)) known.set(name, code);
  return known;
}

function namesIn(language: string, style: 'short' | 'long'): [string, Country][] {
  const regions = new Intl.DisplayNames([language], { type: 'region', style });
  const names = getCountries().map((code): [string, Country] => [keyOf(regions.of(code) ?? code), code]);
  // Some short names are the two letters of another country: `RU` is the United Kingdom in Spanish.
  return names.filter(([name]) => !/^[a-z]{0,2}$/.test(name));
}

/** Several countries may share a code; the first has most of its numbers. */
function countryOfCallingCode(digits: string): Country | undefined {
  const codesOfPlans: Readonly<Record<string, readonly string[] | undefined>> = metadata.country_calling_codes;
  const [code = ''] = codesOfPlans[digits] ?? [];
  return isSupportedCountry(code) ? code : undefined;
}

function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[\u0300-\u036F]|[^\p{L}\p{M}]/gu, '');
}
