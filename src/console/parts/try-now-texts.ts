import { defineTexts } from '../i18n/language.js';

export const tryNowTexts = defineTexts({
  en: {
    tryNow: 'Try now',
    isTried: (instance: string) => `One message is tried now. Once ${instance} takes it, the others follow.`,
    noneWaits: (instance: string) => `No message waits for ${instance} any more.`,
  },
  pt: {
    tryNow: 'Tentar agora',
    isTried: (instance) => `Uma mensagem está sendo tentada. Quando ${instance} a aceitar, as outras seguem.`,
    noneWaits: (instance) => `Nenhuma mensagem espera mais por ${instance}.`,
  },
  es: {
    tryNow: 'Intentar ahora',
    isTried: (instance) => `Se intenta un mensaje. Cuando ${instance} lo acepte, siguen los demás.`,
    noneWaits: (instance) => `Ya ningún mensaje espera a ${instance}.`,
  },
});
