import "../look/look.css";
import "../form/form.css";
import { mount } from "svelte";
import { offerKeypads } from "../keypad/keypad";
import ConsolePage from "./ConsolePage.svelte";

mount(ConsolePage, { target: document.body });
offerKeypads();
