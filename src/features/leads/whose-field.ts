// The words in the name of a field say whose it is. A message to the number of somebody beside the lead would reach a stranger.

import { nameKey } from './name-key.js';

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** People and companies beside the lead, whose number and name products and forms send along. */
const others = setOf(
  'seller vendor agent owner salesperson salesman sales rep representative closer sdr producer coproducer affiliate merchant store shop',
  'manager host organizer organiser assignee assigned broker realtor agency dealer dealership advertiser publisher company organization organisation',
  'branch partner supplier provider distributor reseller support staff employee supervisor instructor doctor landlord referrer referral',
  'collector payee recipient receiver destination tracking destinatario emergency spouse husband wife friend guarantor mother father',
  'recruiter reference driver courier therapist restaurant hotel facility clinic location inbox creator друга другу magazin toko agen',
  'sponsor coach teacher trainer lawyer accountant assistant secretary employer witness colleague neighbor neighbour brother sister boss',
  'technician installer concierge receptionist beneficiary kin deliveryman director advogado advogada contador professor professora',
  'secretaria secretario empregador tecnico entregador motorista irmao irma vizinho urgencia jefe hermano hermana vecino',
  'urgence parrain marraine filleul gerant gerante directeur directrice collegue avocat titolare vertreter chef kollege kollegin',
  'мужа жены супруга супруги',
  'corretor corretora vendedor vendedora atendente consultor consultora produtor produtora afiliado loja lojista gerente anunciante imobiliaria',
  'concessionaria revenda empresa firma filial parceiro parceira fornecedor proprietario proprietaria suporte medico medica',
  'indicado indicou indicador indicacao emergencia conjuge marido esposa amigo amiga fiador avalista recado mae pai',
  'agente tienda asesor asesora inmobiliaria concesionario sucursal socio proveedor propietario propietaria soporte referido referente conyuge madre padre',
  'vendeur vendeuse conseiller conseillere agence entreprise societe annonceur concessionnaire succursale partenaire fournisseur proprietaire',
  'conjoint conjointe ami amie',
  'verkaufer verkauferin berater beraterin makler maklerin handler unternehmen filiale lieferant vermieter eigentumer ehepartner freund freundin arzt',
);

const starting = (...lines: string[]) => lines.flatMap((line) => line.split(' ').map(nameKey)).join('|');

/** The same in further languages, by how the words begin, because their ends change. */
const otherStems = new RegExp(
  `^(?:${starting(
    'менеджер продав агент риелтор риэлтор компани фирм магазин консультант экстренн рекоменд компані руководител директор специалист',
    'получател отправител оператор водител курьер родственник сотрудник знаком партнер поставщик владел керівник продавц',
    'sprzedaw sprzedaj doradc sklep firm agent prodejc predajc prodava makler makelaar maklar verkop bedrij winkel vriend nood notfall',
    'awaryj pośredni kierowni ředitel nouzov tísňov krízov menadžer manaž adviseur vertrieb vészhelyzet ügynök urgenț',
    'müdür bayi referans manajer anhörig pårørende nødkontakt nödkontakt nödnummer hätä esimie chefen διευθυντ έκτακτ',
    'vendit aziend negozi consulent amic emergenz agenz vanzator elado ceg satıcı satici temsilc danışman arkadaş mağaza şirket acil',
    'penjual perusahaan darurat säljar sælger selger företag virksomhed myyj yrity myymäl πωλητ εταιρ μεσιτ καταστημ',
    'بائع البائع وكيل الوكيل شركة الشركة متجر المتجر مدير المدير مندوب المندوب طوارئ الطوارئ סוכן הסוכן מוכר המוכר חנות חירום',
    'المشرف مشرف المسؤول مسؤول מנהל המנהל आपातकाल विक्रेता जरूरी জরুরি',
  )})`,
  'u',
);
/** And in languages that write no blanks, or several words for one. */
const otherParts = new RegExp(
  starting(
    '緊急 紧急 紹介 推荐 推薦 销售 经理 客服 卖家 业务员 门店 担当営業 営業担当 店舗 긴급 비상 추천인 매니저 판매자 상담원',
    'ngườigiớithiệu khẩncấp ngườibán nhânviên quảnlý เจ้าหน้าที่ พนักงาน ฉุกเฉิน ผู้จัดการ',
  ),
  'u',
);

/** Words for the person who becomes the lead. */
const persons = setOf(
  'contact contato contacto customer client cliente buyer purchaser comprador compradora',
  'guest visitor visitante requester requestor solicitante invitee attendee participant participante subscriber assinante suscriptor',
  'applicant candidate candidato patient paciente student aluno billing interested interessado interessada interesado consumer consumidor person pessoa',
  'kunde kundin interessent acheteur prospect caller payer',
);
/** The name of such an object may be that of a deal. */
const leads = setOf('lead');

const withSpaces = (name: string) => name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

/** Returns the words of a name, also in the singular. */
function wordsOf(name: string): string[] {
  return withSpaces(name)
    .split(/[^\p{L}\p{M}]+/u)
    .flatMap((word) => {
      const key = nameKey(word);
      // `pais` is a country, and no father.
      return key.length < 5 ? [key] : [key, key.replace(/s$/, ''), key.replace(/es$/, '')];
    });
}

const numberWord = '(?:whats|phone|telef|tel|cel|mobile|m[oó]vil|fone|number|n[uú]mero|nummer|handy|телефон|номер)';
/** `Deixe seu WhatsApp para nosso consultor` asks for a number of the lead. */
const isAsked = new RegExp(
  `(?:^|[^\\p{L}])(?:your|seu|teu|su|tu|votre|ihre?|deine?|tuo|jouw|uw|tw[oó]j|ваш|свой)\\s+(?:best\\s+|melhor\\s+|mejor\\s+)?${numberWord}`,
  'iu',
);
/** `our_phone`, `nosso WhatsApp`, `to_phone` beside `from_phone`, the `display_phone_number` of a line, and who made a record. */
const isOurs = new RegExp(
  `(?:(?:^|[^\\p{L}])(?:our|noss[oa]|nuestr[oa]|unsere?|notre|display|connected)|^to)[\\s_-]+${numberWord}` +
    `|(?:created|updated|modified|assigned|handled|referred|recommended)[\\s_-]+by(?!\\p{L})`,
  'iu',
);

/** A purpose or a long remark names others, and not their number: `Phone for our sales team`, `Phone (never shared with partners)`. */
const purpose = /(?:^|\s)(?:for|para|pour|für|per)\s+(?:our|the|noss[oa]s?|nuestr[oa]s?|notre|nos|unser\p{L}*)\s.*$/isu;
const remark = /[(（]([^()（）]*)[)）]/g;
const maxRoleWords = 3;
/** Languages without blanks: `（客服会联系您）` is a remark, `（紧急联系人）` a role. */
const longRemark = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、]{6}/u;
/** `(менеджер вам перезвонит)` speaks to the person. */
const toReader = /(?<!\p{L})(?:you|você|voce|lhe|te|vous|ihnen|вам|вас|тебе|вами)(?!\p{L})/iu;
const isRole = (words: string) =>
  words.trim().split(/\s+/).length <= maxRoleWords && !longRemark.test(words) && !toReader.test(words);

/** `Qual o WhatsApp da sua empresa?` asks for a number under which the lead is at work. */
const ownCompany =
  /(?<!\p{L})(?:your|sua|seu|tua|tu|su|votre|ihrer?s?|deiner?s?)\s+(?:company|business|organi[sz]ation|empresa|firma|entreprise|soci[eé]t[eé]|unternehmens?)(?!\p{L})/giu;

const withoutPurpose = (name: string) =>
  name
    .replace(purpose, '')
    .replace(ownCompany, '')
    .replace(remark, (whole, words: string) => (isRole(words) ? whole : ''));

// Most names have no other letters.
const isAscii = /^[ -~]*$/;

/** In characters. What a question says behind that is no word for whose the answer is, and anybody may send long ones. */
const maxLookedAt = 500;

/** @param written the name of a field, or a pointer */
export function isOfOthers(written: string): boolean {
  const name = written.slice(0, maxLookedAt);
  if (isAsked.test(name)) return false;
  const named = withoutPurpose(name);
  if (isOurs.test(withSpaces(named)) || wordsOf(named).some((word) => others.has(word) || otherStems.test(word)))
    return true;
  return !isAscii.test(named) && otherParts.test(nameKey(named));
}

export const isOfPerson = (name: string): boolean => wordsOf(name).some((word) => persons.has(word));

export const isOfLead = (name: string): boolean => wordsOf(name).some((word) => persons.has(word) || leads.has(word));

/** Words in the name of a field that say no more than that it is the lead's. A student or a patient may be the child of who writes. */
const leadsOwn = setOf(
  'customer client cliente cus buyer purchaser comprador compradora lead contact contato contacto visitor visitante interessado interessada',
  'interesado subscriber assinante candidate candidato candidata applicant billing requester solicitante invitee attendee sender kunde kunden interessent acheteur caller payer',
);
const joiningWords = setOf('do da dos das de del du des der para of the information info details dados datos daten');

/** Returns the name without its words for the lead; undefined where it has none. */
export function withoutLeadWords(name: string): string | undefined {
  const words = withSpaces(name)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => ({ word, keys: wordsOf(word) }));
  const isOwn = ({ keys }: { keys: readonly string[] }) => keys.some((key) => leadsOwn.has(key));
  if (!words.some(isOwn)) return undefined;
  return words
    .filter((each) => !isOwn(each) && !each.keys.some((key) => joiningWords.has(key)))
    .map(({ word }) => word)
    .join(' ');
}
