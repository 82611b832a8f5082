import { defineTexts } from '../i18n/language.js';

/** The ranges of dashboards, under the API's names. */
export const rangeTexts = defineTexts({
  en: {
    TODAY: 'Today',
    YESTERDAY: 'Yesterday',
    LAST_7_DAYS: 'Last 7 days',
    LAST_30_DAYS: 'Last 30 days',
    LAST_90_DAYS: 'Last 90 days',
    THIS_WEEK: 'This week',
    LAST_WEEK: 'Last week',
    THIS_MONTH: 'This month',
    LAST_MONTH: 'Last month',
    THIS_YEAR: 'This year',
  },
  pt: {
    TODAY: 'Hoje',
    YESTERDAY: 'Ontem',
    LAST_7_DAYS: 'Últimos 7 dias',
    LAST_30_DAYS: 'Últimos 30 dias',
    LAST_90_DAYS: 'Últimos 90 dias',
    THIS_WEEK: 'Esta semana',
    LAST_WEEK: 'Semana passada',
    THIS_MONTH: 'Este mês',
    LAST_MONTH: 'Mês passado',
    THIS_YEAR: 'Este ano',
  },
  es: {
    TODAY: 'Hoy',
    YESTERDAY: 'Ayer',
    LAST_7_DAYS: 'Últimos 7 días',
    LAST_30_DAYS: 'Últimos 30 días',
    LAST_90_DAYS: 'Últimos 90 días',
    THIS_WEEK: 'Esta semana',
    LAST_WEEK: 'La semana pasada',
    THIS_MONTH: 'Este mes',
    LAST_MONTH: 'El mes pasado',
    THIS_YEAR: 'Este año',
  },
});
