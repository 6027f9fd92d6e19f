import "../look/look.css";
import "../form/form.css";
import "../report/print.css";
import { mount } from "svelte";
import { offerKeypads } from "../keypad/keypad";
import FloorPage from "./FloorPage.svelte";

mount(FloorPage, { target: document.body });
offerKeypads();
