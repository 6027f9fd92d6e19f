import "../look/look.css";
import "../form/form.css";
import { mount } from "svelte";
import ConsolePage from "./ConsolePage.svelte";

mount(ConsolePage, { target: document.body });
