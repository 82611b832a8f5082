// Whose a field is, by the words of its name: a message to the number of somebody beside the lead would reach a stranger.

import { nameKey } from '../../leads/field-names.js';

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** People and companies beside the lead, whose number and name products and forms send along. */
const others = setOf(
  'seller vendor agent owner salesperson salesman sales rep representative closer sdr producer coproducer affiliate merchant store shop',
  'manager host organizer organiser assignee assigned broker realtor agency dealer dealership advertiser publisher company organization organisation',
  'branch partner supplier provider distributor reseller support staff employee supervisor instructor doctor landlord referrer referral',
  'emergency spouse husband wife friend guarantor mother father',
  'corretor corretora vendedor vendedora atendente consultor consultora produtor produtora afiliado loja lojista gerente anunciante imobiliaria',
  'concessionaria revenda empresa firma filial parceiro parceira fornecedor proprietario proprietaria suporte medico medica',
  'indicado indicou indicador indicacao emergencia conjuge marido esposa amigo amiga fiador avalista recado mae pai',
  'agente tienda asesor asesora inmobiliaria concesionario sucursal socio proveedor propietario propietaria soporte referido referente conyuge madre padre',
  'vendeur vendeuse conseiller conseillere agence entreprise societe annonceur concessionnaire succursale partenaire fournisseur proprietaire',
  'conjoint conjointe ami amie',
  'verkaufer verkauferin berater beraterin makler maklerin handler unternehmen filiale lieferant vermieter eigentumer ehepartner freund freundin arzt',
);

/** Words for the person who becomes the lead. */
const persons = setOf(
  'contact contato contacto customer client cliente buyer purchaser comprador compradora',
  'visitor visitante requester requestor solicitante invitee attendee participant participante subscriber assinante suscriptor',
  'applicant candidate candidato patient paciente student aluno billing interested interessado interessada interesado consumer consumidor person pessoa',
  'kunde kundin interessent acheteur prospect',
);
/** The name of such an object may be that of a deal. */
const leads = setOf('lead');

/** Returns the words of a name, also in the singular. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}]+/u)
    .flatMap((word) => {
      const key = nameKey(word);
      // `pais` is a country, and no father.
      return key.length < 5 ? [key] : [key, key.replace(/s$/, ''), key.replace(/es$/, '')];
    });
}

/** `Deixe seu WhatsApp para nosso consultor` asks for a number of the lead. */
const isAsked =
  /(?:^|[^\p{L}])(?:your|seu|teu|su|tu|votre|ihre?|deine?)\s+(?:best\s+|melhor\s+|mejor\s+)?(?:whats|phone|telef|tel|cel|mobile|m[oó]vil|fone|number|n[uú]mero|nummer|handy)/iu;

/** @param name of a field, or a pointer */
export const isOfOthers = (name: string): boolean =>
  !isAsked.test(name) && wordsOf(name).some((word) => others.has(word));

const isOfPerson = (name: string): boolean => wordsOf(name).some((word) => persons.has(word));

const isOfLead = (name: string): boolean => wordsOf(name).some((word) => persons.has(word) || leads.has(word));

/** Fields that stand side by side, as far as they may be those of a person. */
export interface Person {
  pointer: string;
  /** Empty where they name nobody. */
  name: string;
  hasEmail: boolean;
}

/** The most people of a submission who are compared with the others. */
const maxKnown = 20;

/**
 * Returns which fields are those of somebody else: by the name of their object, or because they name one person while another one is known
 * elsewhere, by an e-mail address or as a customer. So the user of a CRM is a stranger beside its contact, and alone is none.
 */
export function strangersAmong(people: readonly Person[]): (person: Person) => boolean {
  const isKnown = ({ pointer, hasEmail, name }: Person) =>
    name !== '' && !isOfOthers(pointer) && (hasEmail || isOfLead(pointer));
  const known = people.filter(isKnown).slice(0, maxKnown);
  const strangers = new Set(
    people.filter(
      (person) =>
        isOfOthers(person.pointer) ||
        (person.name !== '' && !isOfLead(person.pointer) && known.some((other) => isBeside(person, other))),
    ),
  );
  return (person) => strangers.has(person);
}

/** Returns whether the other is another person, whose fields are not within those of the first. */
function isBeside({ pointer, name }: Person, other: Person): boolean {
  const [one, two] = [nameKey(name), nameKey(other.name)];
  return !`${other.pointer}/`.startsWith(`${pointer}/`) && !one.includes(two) && !two.includes(one);
}

/**
 * The person whom a number without a name beside it belongs to: the nearest object around it that is a person's, by an e-mail address or by
 * its own name, such as `contacts`. Around a number at the top there is none, but a customer within.
 * @param number its pointer; undefined where there is none, so that the e-mail address tells
 */
export function personOf<Named extends Person>(
  number: string | undefined,
  people: readonly Named[],
): Named | undefined {
  const named = people.filter(({ name }) => name !== '');
  const isAround = ({ pointer, hasEmail }: Person) =>
    number?.startsWith(`${pointer}/`) === true && (hasEmail || isOfPerson(pointer));
  const isLead = ({ pointer, hasEmail }: Person) => isOfPerson(pointer) || (number === undefined && hasEmail);
  return named.findLast(isAround) ?? named.find(isLead);
}
